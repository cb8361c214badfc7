/** /v1/admin/dead-letters */
import { Type } from 'typebox';
import { actionFor, actions } from '../../domain/events/actions.ts';
import { narrowIds } from '../../domain/access/token.ts';
import { dateRange, parseDateRange, commaList, filterText } from '../../http/requests/query.ts';
import { listRoute } from '../../http/routing/resource.ts';
import type { Route } from '../../http/routing/route.ts';
import { viewsOf } from '../../http/routing/view.ts';
import { count, stringEnum, strictObject, id, text, time } from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';

const action = strictObject({
  code: stringEnum(actions),
  text: Type.String({ description: 'What to do about it, in the caller’s language.' }),
});

type Group = Awaited<ReturnType<ApiContext['events']['groupDeadLetters']>>['results'][number];
const { field, view } = viewsOf<Group>();
const group = view({
  webhookId: id,
  reason: text,
  action: field(action, ({ reason }, language) => actionFor(reason, language)),
  count,
  firstFinishedAt: field(time, ({ firstAt }) => firstAt),
  lastFinishedAt: field(time, ({ lastAt }) => lastAt),
  mappingVersions: field(Type.Array(Type.Integer()), (record) =>
    record.mappingVersions.toSorted((a, b) => a - b),
  ),
  exampleEventId: field(id, ({ exampleId }) => exampleId),
});

export const deadLetterRoutes = ({ events }: ApiContext): Route[] => [
  listRoute(group, {
    path: '/v1/admin/dead-letters',
    scope: 'viewer',
    restriction: 'narrowed',
    operationId: 'listDeadLetters',
    tag: 'Dead letters',
    schemaName: 'DeadLetter',
    summary: 'List dead events by webhook and reason, with an action for each',
    sortable: { count: 'count', firstFinishedAt: 'firstAt', lastFinishedAt: 'lastAt' },
    sortBy: '-count',
    filters: { webhookId: commaList(id), reason: commaList(filterText), ...dateRange },
    list: ({ query, caller }, page) => {
      const webhookId = narrowIds(caller.restriction?.webhookIds, query.webhookId);
      const filter = { webhookId, reason: query.reason, ...parseDateRange(query) };
      return events.groupDeadLetters(filter, page);
    },
  }),
];
