/** /v1/admin/audit */
import { Type } from 'typebox';
import { presentAuditRow } from '../../admin/audit.ts';
import type { Admin } from '../../admin/admin.ts';
import { AppError } from '../../base/errors.ts';
import { auditTargetTypes, type AuditRow, type AuditTargetType } from '../../domain/audit.ts';
import { breakReasons, type BreakReason } from '../../domain/chain.ts';
import { dates, listQuery, paged, pageOf, rangeOf, several, word } from '../query.ts';
import { route, streamRoute, type Route } from '../route.ts';
import { anything, count, exactly, id, idParams, orNull, page, text, time } from '../shapes.ts';

const path = '/v1/admin/audit';
const hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, in hex.' });
const seq = Type.Integer({ minimum: 1, description: 'Counts from 1 without a gap.' });
const link = exactly({ seq, hash });
const targetType = Type.Unsafe<AuditTargetType>({ type: 'string', enum: [...auditTargetTypes] });
const facts = Type.Unsafe<Record<string, unknown> | null>({
  ...anything,
  description: 'An object, or null where there is none; secrets in it are masked.',
});

const row = exactly({
  id,
  seq,
  at: time,
  actor: exactly({ tokenId: text, name: text }),
  address: orNull(text),
  action: text,
  target: exactly({ type: targetType, id: text }),
  before: facts,
  after: facts,
  hash,
  redactedAt: orNull(time),
});

const verification = exactly({
  ok: Type.Boolean(),
  checked: count,
  redacted: count,
  broken: orNull(
    exactly({
      seq: Type.Integer({ minimum: 0, description: 'Where the row is, or should be.' }),
      reason: Type.Unsafe<BreakReason>({ type: 'string', enum: [...breakReasons] }),
    }),
  ),
  anchor: orNull(link),
  head: orNull(link),
  matches: orNull(Type.Boolean()),
});

const sortable = { at: 'at' };
const filters = {
  actor: several(word),
  action: several(word),
  targetType: several(targetType),
  targetId: several(word),
  address: several(word),
  ...dates,
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
    query: exactly({ head: Type.Optional(hash), seq: Type.Optional(seq) }),
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
    answer: page(row),
    handle: async ({ query }) => {
      const wanted = pageOf(query, sortable, '-at');
      return paged(await audit.list(filterOf(query), wanted), wanted, presentAuditRow);
    },
  }),
  streamRoute({
    stream: 'ndjson',
    path: `${path}/export`,
    scope: 'admin',
    summary: 'Export the audit log, or what the filters let through',
    query: exactly({ sort_by: whole.properties.sort_by, ...filters }),
    fileName: 'audit.ndjson',
    answer: row,
    handle: async ({ query }) => {
      const { sort } = pageOf(query, sortable, '-at');
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
  return { actor, action, targetType: types, targetId, address, ...rangeOf(range) };
}

function outsideOf({ head, seq: at }: { head?: string; seq?: number }) {
  if (head !== undefined && at !== undefined) return { hash: head, seq: at };
  if (head === at) return undefined;
  const fields = [{ path: head === undefined ? 'head' : 'seq', message: 'is required' }];
  throw new AppError('invalid_query', { details: { fields } });
}
