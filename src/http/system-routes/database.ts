/** /v1/admin/database */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { secretOwners } from '../../domain/access/secret-locations.ts';
import { route, type Route } from '../routing/route.ts';
import { count, strictObject, stringEnum, text } from '../routing/schemas.ts';

export const databaseRoutes = ({ database }: Admin): Route[] => [
  route({
    method: 'GET',
    path: '/v1/admin/database/verify',
    scope: 'admin',
    summary:
      'Verify the unique indexes, and count the stored secrets that the configured keys open; no secret is shown',
    answer: strictObject({
      missingIndexes: Type.Array(text),
      secrets: Type.Array(
        strictObject({
          owner: stringEnum(secretOwners),
          readable: count,
          unreadable: count,
        }),
      ),
    }),
    handle: () => database.verify(),
  }),
];
