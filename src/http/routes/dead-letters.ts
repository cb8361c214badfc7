/** /v1/admin/dead-letters */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { presentGroup } from '../../admin/dead-letters.ts';
import { remedies, type Remedy } from '../../domain/remedy.ts';
import { narrowed } from '../../domain/token.ts';
import { dates, listQuery, paged, pageOf, rangeOf, several, word } from '../query.ts';
import { route, type Route } from '../route.ts';
import { count, exactly, id, page, text, time } from '../shapes.ts';

const group = exactly({
  webhookId: id,
  reason: text,
  action: exactly({
    code: Type.Unsafe<Remedy>({ type: 'string', enum: Object.keys(remedies) }),
    text: Type.String({ description: 'What a person can do, in the caller’s language.' }),
  }),
  count,
  firstFinishedAt: time,
  lastFinishedAt: time,
  mappingVersions: Type.Array(Type.Integer()),
  exampleEventId: id,
});

const sortable = { count: 'count', firstFinishedAt: 'firstAt', lastFinishedAt: 'lastAt' };
const filters = { webhookId: several(id), reason: several(word), ...dates };

export const deadLetterRoutes = ({ deadLetters }: Admin): Route[] => [
  route({
    method: 'GET',
    path: '/v1/admin/dead-letters',
    scope: 'viewer',
    reach: 'narrowed',
    summary: 'Dead events by webhook and reason, with what a person can do about each',
    query: listQuery(Object.keys(sortable), filters),
    answer: page(group),
    handle: async ({ query, caller, language }) => {
      const wanted = pageOf(query, sortable, '-count');
      const { reason } = query;
      const webhookId = narrowed(caller.reach?.webhookIds, query.webhookId);
      const filter = {
        ...(webhookId && { webhookId }),
        ...(reason && { reason }),
        ...rangeOf(query),
      };
      const found = await deadLetters.list(filter, wanted);
      return paged(found, wanted, (one) => presentGroup(one, language));
    },
  }),
];
