/** /v1/admin/audit */
import { Type } from 'typebox';
import { presentAuditRow } from '../../admin/audit-log.ts';
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
  description: 'An object, or null where there is none; secrets in it are masked.',
});

const row = strictObject({
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
      seq: Type.Integer({ minimum: 0, description: 'Where the row is, or should be.' }),
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
  ...listings(audit),
  route({
    method: 'GET',
    path: `${path}/verify`,
    scope: 'admin',
    summary:
      'Verify the chain of the audit log, and that it leads through a head that was kept elsewhere',
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
    answer: row,
    tagged: true,
    handle: async ({ params }) => presentAuditRow(await audit.get(params.id)),
  }),
];

/** The export gives what the list gives, without pages. */
const listings = (audit: Admin['audit']): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'admin',
    summary: 'Search the audit log; `actor` is the id or the name of a token',
    query: whole,
    answer: pageSchema(row),
    handle: async ({ query }) => {
      const wanted = parsePaging(query, sortable, '-at');
      return presentPage(await audit.list(filterOf(query), wanted), wanted, presentAuditRow);
    },
  }),
  streamRoute({
    stream: 'ndjson',
    path: `${path}/export`,
    scope: 'admin',
    summary: 'Export the audit log, or what the filters let through',
    query: strictObject({ sort_by: whole.properties.sort_by, ...filters }),
    fileName: 'audit.ndjson',
    answer: row,
    handle: async ({ query }) => {
      const { sort } = parsePaging(query, sortable, '-at');
      return presented(await audit.stream(filterOf(query), sort));
    },
  }),
];

async function* presented(rows: AsyncIterable<AuditRow>) {
  for await (const one of rows) yield presentAuditRow(one);
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
