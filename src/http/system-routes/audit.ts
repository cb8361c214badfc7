/** /v1/admin/audit */
import { Type } from 'typebox';
import type { Static, TObject } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { AppError, orNotFound } from '../../base/errors.ts';
import { auditTargetTypes, type AuditRow } from '../../domain/audit/audit.ts';
import { chainBreakReasons } from '../../domain/audit/audit-chain.ts';
import {
  dateRange,
  sortParameter,
  parsePaging,
  parseDateRange,
  commaList,
  filterText,
} from '../requests/query.ts';
import { listRoute } from '../routing/resource.ts';
import { route, streamRoute, type Route } from '../routing/route.ts';
import { viewsOf } from '../routing/view.ts';
import {
  anyValue,
  count,
  strictObject,
  id,
  idParams,
  nullable,
  text,
  time,
  stringEnum,
} from '../routing/schemas.ts';

const path = '/v1/admin/audit';
const hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, in hex.' });
const seq = Type.Integer({ minimum: 1, description: 'Counts from 1 without a gap.' });
const link = strictObject({ seq, hash });
const targetType = stringEnum(auditTargetTypes);
const facts = Type.Unsafe<Record<string, unknown> | null>({
  ...anyValue,
  description: 'An object or null; secrets are masked.',
});

const row = viewsOf<AuditRow>().view({
  id,
  seq,
  at: time,
  actor: strictObject({ tokenId: text, name: text }),
  address: nullable(text),
  action: text,
  target: strictObject({ type: targetType, id: text }),
  before: facts,
  after: facts,
  hash,
  redactedAt: nullable(time),
});

const verification = strictObject({
  ok: Type.Boolean(),
  checked: count,
  redacted: count,
  broken: nullable(
    strictObject({
      seq: Type.Integer({
        minimum: 0,
        description: 'The position of the row, or of the missing row.',
      }),
      reason: stringEnum(chainBreakReasons),
    }),
  ),
  anchor: nullable(link),
  head: nullable(link),
  matches: nullable(Type.Boolean()),
});

const sortable = { at: 'at' };
const filters = {
  actor: commaList(filterText),
  action: commaList(filterText),
  targetType: commaList(targetType),
  targetId: commaList(filterText),
  address: commaList(filterText),
  ...dateRange,
};

export const auditRoutes = ({ audit }: Admin): Route[] => [
  ...listRoutes(audit),
  route({
    method: 'GET',
    path: `${path}/verify`,
    scope: 'admin',
    summary:
      'Verify the chain of the audit log, and that it contains a head that was kept elsewhere',
    query: strictObject({ head: Type.Optional(hash), seq: Type.Optional(seq) }),
    answer: verification,
    handle: ({ query, signal }) => audit.verify(outsideOf(query), signal),
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'admin',
    summary: 'Read a row of the audit log',
    params: idParams,
    answer: row.answer,
    hasEtag: true,
    handle: async ({ params }) => row.present(orNotFound(await audit.get(params.id))),
  }),
];

/** The export has the same rows as the list, without pages. */
const listRoutes = (audit: Admin['audit']): Route[] => [
  listRoute(row, {
    path,
    scope: 'admin',
    summary: 'Search the audit log; `actor` is the id or the name of a token',
    sortable,
    sortBy: '-at',
    filters,
    list: ({ query }, page) => audit.list(filterOf(query), page),
  }),
  streamRoute({
    stream: 'ndjson',
    path: `${path}/export`,
    scope: 'admin',
    summary: 'Export the audit log, or the rows that match the filters',
    query: strictObject({ sort_by: sortParameter(Object.keys(sortable)), ...filters }),
    fileName: 'audit.ndjson',
    answer: row.answer,
    handle: async ({ query }) => {
      const { sort } = parsePaging(query, sortable, '-at');
      return presented(await audit.stream(filterOf(query), sort));
    },
  }),
];

async function* presented(rows: AsyncIterable<AuditRow>) {
  for await (const one of rows) yield row.present(one);
}

const filterOf = (query: Static<TObject<typeof filters>>) => ({
  ...query,
  ...parseDateRange(query),
});

function outsideOf({ head, seq: at }: { head?: string; seq?: number }) {
  if (head !== undefined && at !== undefined) return { hash: head, seq: at };
  if (head === at) return undefined;
  const fields = [{ path: head === undefined ? 'head' : 'seq', message: 'is required' }];
  throw new AppError('invalid_query', { details: { fields } });
}
