/** /v1/admin/webhooks/:id/drift: observed paths, and warnings. */
import { Type } from 'typebox';
import { orNotFound } from '../../base/errors.ts';
import { renderMessages, textWith, type PublicText } from '../../base/texts/texts.ts';
import { seenTypes, warningKinds, type DriftWarning } from '../../domain/mappings/drift.ts';
import { route, type Route } from '../../http/routing/route.ts';
import {
  count,
  strictObject,
  nullable,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import { summarizeDrift, type PathSummary } from '../../mapping/drift/drift-summary.ts';
import { listDriftBuckets } from '../../store/counters/drift.ts';
import type { ApiContext } from '../context.ts';
import { ofWebhook } from '../webhooks/webhook-view.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';
import { getMapping } from '../../store/webhooks/mappings.ts';

const share = Type.Number({ minimum: 0, maximum: 1, description: 'Share of the events.' });
const type = stringEnum(seenTypes);
const kind = stringEnum(warningKinds);

const path = strictObject({
  path: text,
  types: Type.Array(strictObject({ type, share })),
  presence: share,
  lastSeenAt: time,
  mapped: Type.Boolean({ description: 'Whether the active mapping reads it.' }),
});

const warning = strictObject({
  kind,
  target: nullable(text),
  path: nullable(text),
  since: time,
  before: share,
  after: share,
  events: count,
  types: nullable(strictObject({ before: type, after: type })),
  message: text,
});

async function readDrift(ctx: ApiContext, webhookId: string) {
  const { activeVersion } = orNotFound(await getWebhook(ctx, webhookId));
  const active = activeVersion === null ? null : await getMapping(ctx, webhookId, activeVersion);
  const buckets = await listDriftBuckets(ctx, webhookId);
  const summary = summarizeDrift(buckets, active?.mapping ?? null);
  return {
    ...summary,
    observedSince: summary.observedSince ?? null,
    paths: summary.paths.map(presentPath),
    warnings: summary.warnings.map(presentWarning),
  };
}

const round = (share: number): number => Math.round(share * 100) / 100;

const presentPath = ({ path, types, presence, lastSeenAt, mapped }: PathSummary) => ({
  path,
  types: types.map(({ type, share }) => ({ type, share: round(share) })),
  presence: round(presence),
  lastSeenAt,
  mapped,
});

const presentWarning = (warning: DriftWarning) => ({
  ...warning,
  before: round(warning.before),
  after: round(warning.after),
  message: messageOf(warning),
});

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function messageOf({ kind, target, path, events, types, ...shares }: DriftWarning): PublicText {
  const [before, after] = [percent(shares.before), percent(shares.after)];
  const name = path ?? '';
  switch (kind) {
    case 'missing':
      return textWith('drift.missing', { path: target ?? name, before, events });
    case 'rarer':
      return textWith('drift.rarer', { path: target ?? name, before, after, events });
    case 'type_changed':
      return textWith('drift.type_changed', {
        path: name,
        before: types?.before ?? '',
        after: types?.after ?? '',
      });
    case 'new_path':
      return textWith('drift.new_path', { path: name, after, events });
  }
}

export const driftRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'GET',
    path: '/v1/admin/webhooks/:id/drift',
    scope: 'viewer',
    ...ofWebhook(ctx),
    operationId: 'getWebhookDrift',
    tag: 'Drift',
    summary: 'Read the observed payload paths and the changes that affect the active mapping',
    answer: strictObject({
      observedSince: nullable(time),
      events: count,
      ignored: count,
      complete: Type.Boolean({ description: 'False if there are more paths than are recorded.' }),
      paths: Type.Array(path),
      warnings: Type.Array(warning),
    }),
    handle: async ({ params, language }) => {
      const { warnings, ...report } = await readDrift(ctx, params.id);
      return { ...report, warnings: renderMessages(warnings, language) };
    },
  }),
];
