/** /v1/admin/dead-letters */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import type { Language } from '../../base/errors.ts';
import { actionFor, actionTexts, type Action } from '../../domain/events/actions.ts';
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
import { createView, fieldOf } from '../routing/view.ts';
import { count, strictObject, id, pageSchema, text, time } from '../routing/schemas.ts';

const action = strictObject({
  code: Type.Unsafe<Action>({ type: 'string', enum: Object.keys(actionTexts) }),
  text: Type.String({ description: 'What to do about it, in the caller’s language.' }),
});

type Group = Awaited<ReturnType<Admin['deadLetters']['list']>>['results'][number];
const field = fieldOf<Group & { readonly language: Language }>();
const group = createView({
  webhookId: field(id, ({ webhookId }) => webhookId),
  reason: field(text, ({ reason }) => reason),
  action: field(action, ({ reason, language }) => actionFor(reason, language)),
  count: field(count, (record) => record.count),
  firstFinishedAt: field(time, ({ firstAt }) => firstAt.toISOString()),
  lastFinishedAt: field(time, ({ lastAt }) => lastAt.toISOString()),
  mappingVersions: field(Type.Array(Type.Integer()), (record) =>
    record.mappingVersions.toSorted((a, b) => a - b),
  ),
  exampleEventId: field(id, ({ exampleId }) => exampleId),
});

const sortable = { count: 'count', firstFinishedAt: 'firstAt', lastFinishedAt: 'lastAt' };
const filters = { webhookId: commaList(id), reason: commaList(filterText), ...dateRange };

export const deadLetterRoutes = ({ deadLetters }: Admin): Route[] => [
  route({
    method: 'GET',
    path: '/v1/admin/dead-letters',
    scope: 'viewer',
    restriction: 'narrowed',
    summary: 'List dead events by webhook and reason, with an action for each',
    query: listQuery(Object.keys(sortable), filters),
    answer: pageSchema(group.answer),
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
      return presentPage(found, wanted, (one) => group.present({ ...one, language }));
    },
  }),
];
