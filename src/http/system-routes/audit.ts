/** /v1/admin/audit */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { AppError } from '../../base/errors.ts';
import { auditTargetTypes, type AuditRow, type AuditTargetType } from '../../domain/audit/audit.ts';
import { chainBreakReasons, type ChainBreakReason } from '../../domain/audit/audit-chain.ts';
import {
  dateRange,
  listQuery,
  presentPage,
  parsePaging,
  parseDateRange,
  commaList,
  filterText,
} from '../requests/query.ts';
import { route, streamRoute, type Route } from '../routing/route.ts';
import { createView, fieldOf, isoDate } from '../routing/view.ts';
import {
  anyValue,
  count,
  strictObject,
  id,
  idParams,
  nullable,
  pageSchema,
  text,
  time,
} from '../routing/schemas.ts';

const path = '/v1/admin/audit';
const hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, in hex.' });
const seq = Type.Integer({ minimum: 1, description: 'Counts from 1 without a gap.' });
const link = strictObject({ seq, hash });
const targetType = Type.Unsafe<AuditTargetType>({ type: 'string', enum: [...auditTargetTypes] });
const facts = Type.Unsafe<Record<string, unknown> | null>({
  ...anyValue,
  description: 'An object or null; secrets are masked.',
});

const field = fieldOf<AuditRow>();
const row = createView({
  id: field(id, ({ _id }) => _id),
  seq: field(seq, (record) => record.seq),
  at: field(time, ({ at }) => at.toISOString()),
  actor: field(strictObject({ tokenId: text, name: text }), ({ actor }) => ({
    tokenId: actor.tokenId,
    name: actor.name,
  })),
  address: field(nullable(text), ({ address }) => address),
  action: field(text, ({ action }) => action),
  target: field(strictObject({ type: targetType, id: text }), ({ target }) => ({
    type: target.type,
    id: target.id,
  })),
  before: field(facts, ({ before }) => before),
  after: field(facts, ({ after }) => after),
  hash: field(hash, (record) => record.hash),
  redactedAt: field(nullable(time), ({ redactedAt }) => isoDate(redactedAt)),
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
      reason: Type.Unsafe<ChainBreakReason>({ type: 'string', enum: [...chainBreakReasons] }),
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

const whole = listQuery(Object.keys(sortable), filters);

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
    handle: ({ query }) => audit.verify(outsideOf(query)),
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'admin',
    summary: 'Read a row of the audit log',
    params: idParams,
    answer: row.answer,
    hasEtag: true,
    handle: async ({ params }) => row.present(await audit.get(params.id)),
  }),
];

/** The export has the same rows as the list, without pages. */
const listRoutes = (audit: Admin['audit']): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'admin',
    summary: 'Search the audit log; `actor` is the id or the name of a token',
    query: whole,
    answer: pageSchema(row.answer),
    handle: async ({ query }) => {
      const wanted = parsePaging(query, sortable, '-at');
      return presentPage(await audit.list(filterOf(query), wanted), wanted, row.present);
    },
  }),
  streamRoute({
    stream: 'ndjson',
    path: `${path}/export`,
    scope: 'admin',
    summary: 'Export the audit log, or the rows that match the filters',
    query: strictObject({ sort_by: whole.properties.sort_by, ...filters }),
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

type Filters = {
  actor?: string[];
  action?: string[];
  targetType?: AuditTargetType[];
  targetId?: string[];
  address?: string[];
  from?: string;
  to?: string;
};

function filterOf({ actor, action, targetType: types, targetId, address, ...range }: Filters) {
  return { actor, action, targetType: types, targetId, address, ...parseDateRange(range) };
}

function outsideOf({ head, seq: at }: { head?: string; seq?: number }) {
  if (head !== undefined && at !== undefined) return { hash: head, seq: at };
  if (head === at) return undefined;
  const fields = [{ path: head === undefined ? 'head' : 'seq', message: 'is required' }];
  throw new AppError('invalid_query', { details: { fields } });
}
