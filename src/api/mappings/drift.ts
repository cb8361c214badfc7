/** Drift report of a webhook: observed paths, and warnings. */
import { orNotFound } from '../../base/errors.ts';
import type { DriftWarning } from '../../domain/mappings/drift.ts';
import { summarizeDrift, type PathSummary } from '../../mapping/drift/drift-summary.ts';
import type { ApiContext } from '../context.ts';
import { listDriftBuckets } from '../../store/counters/drift.ts';
import { textWith, type PublicText } from '../../base/texts/texts.ts';

export async function readDrift(ctx: ApiContext, webhookId: string) {
  const { activeVersion } = orNotFound(await ctx.webhooks.get(webhookId));
  const active = activeVersion === null ? null : await ctx.mappings.get(webhookId, activeVersion);
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
