/** /v1/admin/stats */
import { Type } from 'typebox';
import { statsUnits } from '../../domain/stats.ts';
import { narrowIds } from '../../domain/access/token.ts';
import { dateRange, parseDateRange } from '../../http/requests/query.ts';
import { route, type Route } from '../../http/routing/route.ts';
import type { ApiContext } from '../context.ts';
import { countAllRejections, listStats, readHealth, readStats } from './stats.ts';
import { findingsAnswer, presentFindings } from '../installation/operation-routes.ts';
import {
  count,
  strictObject,
  id,
  nullable,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';

const path = '/v1/admin/stats';
const unit = stringEnum(statsUnits);
const ms = nullable(
  Type.Integer({
    minimum: 0,
    description: 'Milliseconds, accurate to 9 %; null if no event was done.',
  }),
);

const perPage = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 }));

const counts = {
  received: count,
  duplicates: count,
  held: count,
  done: count,
  ignored: count,
  dead: count,
  discarded: count,
  p50Ms: ms,
  p95Ms: ms,
  p99Ms: ms,
};

const listed = strictObject({
  webhookId: id,
  name: text,
  lastEventAt: nullable(time),
  receivedEver: count,
  totals: strictObject(counts),
  received: Type.Array(count),
  dead: Type.Array(count),
});

const process = strictObject({
  id,
  role: stringEnum(['server', 'worker']),
  startedAt: time,
  seenAt: time,
  release: text,
  aheadMs: Type.Integer({ description: 'How far its clock is ahead of that of the database.' }),
});

const health = strictObject({
  mongodb: strictObject({
    isUp: Type.Boolean(),
    disk: nullable(strictObject({ usedBytes: count, totalBytes: count })),
  }),
  redis: strictObject({
    isUp: Type.Boolean(),
    queueDepth: nullable(count),
    // `isPersistent`: it appends to a file.
    settings: nullable(strictObject({ policy: text, isPersistent: Type.Boolean() })),
  }),
  servers: count,
  workers: count,
  processes: Type.Array(process),
  allowsDrills: Type.Boolean(),
  backlog: nullable(strictObject({ open: count, held: count, dead: count, upTo: count })),
  oldestOpenAt: nullable(time),
  findings: findingsAnswer,
});

export const statsRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    operationId: 'getStats',
    tag: 'Stats',
    summary: 'Read event counts, outcomes and durations over time, for one webhook or all',
    query: strictObject({ webhookId: Type.Optional(id), by: Type.Optional(unit), ...dateRange }),
    answer: strictObject({
      by: unit,
      from: time,
      to: time,
      totals: strictObject(counts),
      series: Type.Array(strictObject({ at: time, ...counts })),
    }),
    handle: ({ query: { webhookId, by = 'hour', ...range }, caller }) => {
      const wanted = webhookId === undefined ? undefined : [webhookId];
      const webhookIds = narrowIds(caller.restriction?.webhookIds, wanted);
      return readStats(ctx, { webhookIds, by, ...parseDateRange(range) });
    },
  }),
  route({
    method: 'GET',
    path: `${path}/webhooks`,
    scope: 'viewer',
    restriction: 'narrowed',
    operationId: 'listStatsWebhooks',
    tag: 'Webhooks',
    schemaName: 'StatsWebhook',
    summary: 'Read the counts of several webhooks, or of those that received most since yesterday',
    query: strictObject({
      webhookId: Type.Optional(Type.Array(id, { minItems: 1, maxItems: 100 })),
      by: Type.Optional(unit),
      per_page: perPage,
    }),
    answer: strictObject({ by: unit, from: time, to: time, results: Type.Array(listed) }),
    handle: ({ query: { webhookId, by = 'hour', per_page: limit = 10 }, caller }) => {
      const among = caller.restriction?.webhookIds;
      const webhookIds = webhookId && narrowIds(among, [...new Set(webhookId)]);
      return listStats(ctx, { webhookIds, among, by, limit });
    },
  }),
  route({
    method: 'GET',
    path: `${path}/rejections`,
    scope: 'viewer',
    restriction: 'narrowed',
    operationId: 'listStatsRejections',
    tag: 'Rejections',
    schemaName: 'StatsRejection',
    summary: 'Count the rejections of the last 24 hours, and list the webhooks with the most',
    query: strictObject({ per_page: perPage }),
    answer: strictObject({
      from: time,
      total: count,
      results: Type.Array(strictObject({ webhookId: id, name: text, count })),
    }),
    handle: ({ query: { per_page: limit = 10 }, caller }) =>
      countAllRejections(ctx, { among: caller.restriction?.webhookIds, limit }),
  }),
  route({
    method: 'GET',
    path: `${path}/health`,
    scope: 'viewer',
    operationId: 'getStatsHealth',
    tag: 'Stats',
    summary:
      'Read the current health: databases, processes and queue lengths, with findings that say what to do',
    answer: health,
    handle: async ({ language }) => {
      const { findings, ...state } = await readHealth(ctx);
      return { ...state, findings: presentFindings(findings, language) };
    },
  }),
];
