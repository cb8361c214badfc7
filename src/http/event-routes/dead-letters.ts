/** /v1/admin/dead-letters */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { presentGroup } from '../../admin/events/dead-letters.ts';
import { actionTexts, type Action } from '../../domain/events/actions.ts';
import { narrowIds } from '../../domain/access/token.ts';
import {
  dateRange,
  listQuery,
  presentPage,
  parsePaging,
  parseDateRange,
  commaList,
  filterText,
} from '../requests/query.ts';
import { route, type Route } from '../routing/route.ts';
import { count, strictObject, id, pageSchema, text, time } from '../routing/schemas.ts';

const group = strictObject({
  webhookId: id,
  reason: text,
  action: strictObject({
    code: Type.Unsafe<Action>({ type: 'string', enum: Object.keys(actionTexts) }),
    text: Type.String({ description: 'What a person can do, in the caller’s language.' }),
  }),
  count,
  firstFinishedAt: time,
  lastFinishedAt: time,
  mappingVersions: Type.Array(Type.Integer()),
  exampleEventId: id,
});

const sortable = { count: 'count', firstFinishedAt: 'firstAt', lastFinishedAt: 'lastAt' };
const filters = { webhookId: commaList(id), reason: commaList(filterText), ...dateRange };

export const deadLetterRoutes = ({ deadLetters }: Admin): Route[] => [
  route({
    method: 'GET',
    path: '/v1/admin/dead-letters',
    scope: 'viewer',
    reach: 'narrowed',
    summary: 'Dead events by webhook and reason, with what a person can do about each',
    query: listQuery(Object.keys(sortable), filters),
    answer: pageSchema(group),
    handle: async ({ query, caller, language }) => {
      const wanted = parsePaging(query, sortable, '-count');
      const { reason } = query;
      const webhookId = narrowIds(caller.restriction?.webhookIds, query.webhookId);
      const filter = {
        ...(webhookId && { webhookId }),
        ...(reason && { reason }),
        ...parseDateRange(query),
      };
      const found = await deadLetters.list(filter, wanted);
      return presentPage(found, wanted, (one) => presentGroup(one, language));
    },
  }),
];
