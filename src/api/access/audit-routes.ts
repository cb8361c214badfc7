/** /v1/admin/audit */
import { Type } from 'typebox';
import type { Static, TObject } from 'typebox';
import { getAuditRow, listAuditRows, streamAuditRows } from '../../store/audit/audit.ts';
import type { ApiContext } from '../context.ts';
import { orNotFound } from '../../base/errors.ts';
import { auditTargetTypes, type AuditRow } from '../../domain/audit/audit.ts';
import {
  dateRange,
  sortParameter,
  parsePaging,
  parseDateRange,
  commaList,
  filterText,
} from '../../http/requests/query.ts';
import { listRoute } from '../../http/routing/resource.ts';
import { route, streamRoute, type Route } from '../../http/routing/route.ts';
import { viewsOf } from '../../http/routing/view.ts';
import {
  anyValue,
  strictObject,
  id,
  idParams,
  nullable,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';

const path = '/v1/admin/audit';
const targetType = stringEnum(auditTargetTypes);
const facts = Type.Unsafe<Record<string, unknown> | null>({
  ...anyValue,
  description: 'An object or null; secrets are masked.',
});

const row = viewsOf<AuditRow>().view({
  id,
  at: time,
  actor: strictObject({ tokenId: text, name: text }),
  address: nullable(text),
  action: text,
  target: strictObject({ type: targetType, id: text }),
  before: facts,
  after: facts,
  redactedAt: nullable(time),
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

export const auditRoutes = (ctx: ApiContext): Route[] => [
  ...listRoutes(ctx),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'admin',
    operationId: 'getAuditRow',
    tag: 'Audit',
    schemaName: 'Audit',
    summary: 'Read a row of the audit log',
    params: idParams,
    answer: row.answer,
    hasEtag: true,
    handle: async ({ params }) => row.present(orNotFound(await getAuditRow(ctx, params.id))),
  }),
];

/** The export has the same rows as the list, without pages. */
const listRoutes = (ctx: ApiContext): Route[] => [
  listRoute(row, {
    path,
    scope: 'admin',
    operationId: 'listAudit',
    tag: 'Audit',
    summary: 'Search the audit log; `actor` is the id or the name of a token',
    sortable,
    sortBy: '-at',
    filters,
    list: ({ query }, page) => listAuditRows(ctx, filterOf(query), page),
  }),
  streamRoute({
    stream: 'ndjson',
    path: `${path}/export`,
    scope: 'admin',
    operationId: 'exportAudit',
    tag: 'Audit',
    summary: 'Export the audit log, or the rows that match the filters',
    query: strictObject({ sort_by: sortParameter(Object.keys(sortable)), ...filters }),
    fileName: 'audit.ndjson',
    heavy: { kind: 'export' },
    answer: row.answer,
    handle: async ({ query }) => {
      const { sort } = parsePaging(query, sortable, '-at');
      return presented(await streamAuditRows(ctx, filterOf(query), sort));
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
