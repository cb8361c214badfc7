/** /v1/admin/events/replay, /v1/admin/events/discard, and /v1/admin/replays, which lists both */
import { Type } from 'typebox';
import type { Static, TProperties } from 'typebox';
import { invalidField, orNotFound } from '../../base/errors.ts';
import { eventStates, type EventState } from '../../domain/events/event.ts';
import { mayAccess, type Caller, type ResourceOwner } from '../../domain/access/token.ts';
import { transitions } from '../../domain/events/lifecycle.ts';
import {
  defaultPerSecond,
  maxPerSecond,
  runFailures,
  runKinds,
  runStates,
  type UserRunKind,
  type RunFilter,
  type RunRecord,
} from '../../domain/events/run.ts';
import { parseDate, dateParameter, commaList, filterText } from '../../http/requests/query.ts';
import { listRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import { viewsOf } from '../../http/routing/view.ts';
import {
  flag,
  count,
  emptyBody,
  strictObject,
  id,
  idParams,
  nullable,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { cancelRun, previewRun, readRunOutcome, startRun } from './runs.ts';
import { textWith } from '../../base/texts/texts.ts';

const path = '/v1/admin/replays';
const maxIds = 1_000;

const state = stringEnum(eventStates);
const version = Type.Integer({ minimum: 1 });

/** In a body a single value is accepted as a list of one. */
const oneOrSeveral = <Item extends TProperties[string]>(item: Item) =>
  Type.Optional(Type.Union([item, Type.Array(item, { minItems: 1, maxItems: 100 })]));
const given = {
  webhookId: oneOrSeveral(id),
  state: oneOrSeveral(state),
  reason: oneOrSeveral(filterText),
  externalId: oneOrSeveral(filterText),
  eventType: oneOrSeveral(filterText),
  mappingVersion: oneOrSeveral(version),
  parentId: oneOrSeveral(id),
  from: dateParameter,
  to: dateParameter,
};

const orders = {
  filter: Type.Optional(
    strictObject(given, {
      minProperties: 1,
      description:
        'The filters of the event search. Without `state`: all states that the run accepts. A run over done events needs ' +
        '`webhookId`, `from`, `externalId`, `reason` or `parentId`.',
    }),
  ),
  ids: Type.Optional(Type.Array(id, { minItems: 1, maxItems: maxIds })),
  preview: flag('Only counts the events; the response is 200.'),
  perSecond: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxPerSecond, default: defaultPerSecond }),
  ),
};
const order = strictObject({
  ...orders,
  remap: flag('Also replays done events and updates their effects.'),
});
type Order = Static<typeof order>;
const bodies = { replay: order, discard: strictObject(orders) };

const runFilter = strictObject({
  webhookId: commaList(id),
  state: commaList(state),
  reason: commaList(filterText),
  externalId: commaList(filterText),
  eventType: commaList(filterText),
  mappingVersion: commaList(version),
  parentId: commaList(id),
  ids: Type.Optional(Type.Integer({ description: 'Number of ids in the request.' })),
  from: Type.Optional(time),
  to: Type.Optional(time),
});
const runFailure = stringEnum(runFailures, {
  description: 'Why the last step failed. A failed run ended for this reason.',
});

/** Shows how many ids were given instead of the ids, of which there may be a thousand. */
const presentFilter = ({ ids, from, to, ...given }: RunFilter) =>
  ({
    ...given,
    ...(ids && { ids: ids.length }),
    from,
    to,
  }) as Static<typeof runFilter>;

const { field, view } = viewsOf<RunRecord>();
const run = view({
  id,
  kind: stringEnum(runKinds),
  state: stringEnum(runStates),
  filter: field(runFilter, ({ filter }) => presentFilter(filter)),
  remap: Type.Boolean(),
  perSecond: count,
  total: Type.Integer({ minimum: 0, description: 'Number of events at the start of the run.' }),
  totalExact: Type.Boolean({ description: 'False: `total` is a lower bound.' }),
  replayed: field(count, ({ kind, replayed }) => (kind === 'discard' ? 0 : replayed)),
  discarded: field(count, ({ kind, replayed }) => (kind === 'discard' ? replayed : 0)),
  skipped: Type.Integer({
    minimum: 0,
    description: 'Events that another request or process changed first.',
  }),
  reason: nullable(runFailure),
  createdAt: time,
  createdBy: field(text, ({ createdBy }) => createdBy.name),
  finishedAt: nullable(time),
});

const eventCounts = strictObject({
  count,
  exact: Type.Boolean({ description: 'False: `count` is a lower bound.' }),
  byState: Type.Array(strictObject({ state, count })),
  byReason: Type.Array(strictObject({ reason: nullable(text), count })),
});

function dateIn(name: 'from' | 'to', value: string | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const date = parseDate(value, name === 'to' ? 'end' : 'begin');
  if (!date) throw invalidField(`/filter/${name}`, 'field.not_a_date');
  return date;
}

const listed = (value: unknown): unknown[] | undefined =>
  value === undefined || Array.isArray(value) ? value : [value];

const allowed = (kind: UserRunKind, remap: boolean | undefined): readonly EventState[] => {
  if (kind === 'discard') return transitions.discard.from;
  return transitions[remap ? 'remap' : 'replay'].from;
};

/** Throws `invalid_field` for a filter that this kind of run does not support. */
function filterOf({ filter, ids, remap }: Order, kind: UserRunKind): RunFilter {
  if ((filter === undefined) === (ids === undefined)) {
    throw invalidField(
      '/filter',
      textWith('field.either_required', { one: 'filter', other: 'ids' }),
    );
  }
  if (ids) return { ids: [...new Set(ids)] };
  const { from, to, ...values } = filter ?? {};
  const mayBe = allowed(kind, remap);
  const stray = listed(values.state)?.filter((name) => !mayBe.includes(name as EventState)) ?? [];
  if (stray.includes('done') && kind === 'replay') {
    throw invalidField('/filter/state', 'field.done_without_remap');
  }
  if (stray.length > 0)
    throw invalidField(
      '/filter/state',
      textWith('field.other_states', { choices: mayBe.join(', ') }),
    );
  const filled = Object.entries({
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, listed(value)])),
    from: dateIn('from', from),
    to: dateIn('to', to),
  }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(filled);
}

/**
 * The run of a restricted caller must name its webhooks, so that the caller can read the run. Throws `invalid_field`, also
 * for a webhook outside the restriction, as for one that does not exist.
 */
function narrowedTo(caller: Caller, filter: RunFilter): RunFilter {
  if (caller.restriction === null) return filter;
  const { ids, webhookId } = filter;
  if (ids || !webhookId) throw invalidField('/filter/webhookId', 'field.required_when_restricted');
  const isOurs = webhookId.every((one) => mayAccess(caller, { webhookId: one }));
  if (!isOurs) throw invalidField('/filter/webhookId', 'field.missing_record');
  return filter;
}

/** A run without webhooks is not accessible to restricted tokens. */
const ofRun =
  ({ runs }: ApiContext) =>
  async (params: { id: string }): Promise<ResourceOwner[]> => {
    const { webhookId = [] } = orNotFound(await runs.get(params.id)).filter;
    return webhookId.map((one) => ({ webhookId: one }));
  };

const starts = {
  replay: {
    operationId: 'replayEvents',
    summary: 'Replay many events in the background, or count the matching events',
  },
  discard: {
    operationId: 'discardEvents',
    summary: 'Discard many events in the background, or count the matching events',
  },
} as const;

const beginRoute = (ctx: ApiContext, kind: UserRunKind): Route =>
  route({
    method: 'POST',
    path: `/v1/admin/events/${kind}`,
    scope: 'operator',
    restriction: 'narrowed',
    ...starts[kind],
    tag: 'Events',
    status: 201,
    body: bodies[kind] as typeof order,
    needsBound: true,
    answer: run.answer,
    alternative: { status: 200, when: ({ preview }) => preview === true, answer: eventCounts },
    handle: async ({ body, caller }) => {
      const { remap = false, perSecond = defaultPerSecond, preview } = body;
      const selection = { kind, filter: narrowedTo(caller, filterOf(body, kind)), remap };
      if (preview) return previewRun(ctx, selection);
      return run.present(await startRun(ctx, { ...selection, perSecond }, caller));
    },
  });

export const runRoutes = (ctx: ApiContext): Route[] => [
  beginRoute(ctx, 'replay'),
  beginRoute(ctx, 'discard'),
  ...existingRunRoutes(ctx),
];

const existingRunRoutes = (ctx: ApiContext): Route[] => [
  listRoute(run, {
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    operationId: 'listReplays',
    tag: 'Runs',
    summary: 'List runs: replays, discards and resumptions of held events',
    sortable: { createdAt: 'createdAt', finishedAt: 'finishedAt' },
    sortBy: '-createdAt',
    filters: { kind: commaList(stringEnum(runKinds)), state: commaList(stringEnum(runStates)) },
    list: ({ query, caller }, page) =>
      ctx.runs.list({ ...query, webhookId: caller.restriction?.webhookIds }, page),
  }),
  ...oneRunRoutes(ctx),
];

function oneRunRoutes(ctx: ApiContext): Route[] {
  const restriction = ofRun(ctx);
  const find = (params: { readonly id: string }) => ctx.runs.get(params.id);
  const read = { method: 'GET', scope: 'viewer', params: idParams, restriction } as const;
  return [
    route({
      ...read,
      path: `${path}/:id`,
      operationId: 'getReplay',
      tag: 'Runs',
      schemaName: 'Replay',
      summary: 'Read the progress of a run',
      answer: run.answer,
      hasEtag: true,
      handle: async ({ params }) => run.present(orNotFound(await find(params))),
    }),
    route({
      ...read,
      path: `${path}/:id/outcome`,
      operationId: 'getReplayOutcome',
      tag: 'Runs',
      summary: 'Count the events of a run by their present states and reasons',
      answer: eventCounts,
      handle: ({ params }) => readRunOutcome(ctx, params.id),
    }),
    route({
      method: 'POST',
      path: `${path}/:id/cancel`,
      scope: 'operator',
      restriction,
      operationId: 'cancelReplay',
      tag: 'Runs',
      summary:
        'Cancel a replay or discard; processed events keep their result. A resumption stops when its webhook is paused',
      params: idParams,
      find,
      ...emptyBody,
      answer: run.answer,
      hasEtag: true,
      handle: async ({ params, caller }) => run.present(await cancelRun(ctx, params.id, caller)),
    }),
  ];
}
