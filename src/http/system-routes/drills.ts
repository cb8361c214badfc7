/** /v1/admin/drills */
import type { Admin } from '../../admin/admin.ts';
import { drillFaults } from '../../domain/drill.ts';
import { route, type Route } from '../routing/route.ts';
import { count, id, nullable, strictObject, stringEnum } from '../routing/schemas.ts';

export const drillRoutes = ({ startDrill }: Admin): Route[] => [
  route({
    method: 'POST',
    path: '/v1/admin/drills',
    scope: 'admin',
    summary:
      'Cause a fault on purpose: 404 unless INLET_DRILLS is true; one in a minute. Its worker ends within ten seconds',
    body: strictObject({ fault: stringEnum(drillFaults) }),
    answer: strictObject({ processId: nullable(id), keys: nullable(count) }),
    handle: ({ body, caller }) => startDrill(body.fault, caller),
  }),
];
