/**
 * Activation: the last step of the set-up, and every later change of version.
 *
 * Promises: nothing is activated without a sample and a mapping that compiles; what is missing is named.
 * An activation that changes how resends are recognised keeps the old way known for 72 hours.
 */
import { AppError } from '../base/errors.ts';
import type { Actor } from '../domain/audit.ts';
import type { MappingVersion } from '../domain/version.ts';
import { dedupOverlapMs, type Sample, type Webhook } from '../domain/webhook.ts';
import { eventIdRecipe } from '../mapping/apply.ts';
import { compileMapping } from '../mapping/compile.ts';
import type { MappingStore } from '../store/mappings.ts';
import type { SampleStore } from '../store/samples.ts';
import type { WebhookStore } from '../store/webhooks.ts';

export type ActivationDeps = {
  readonly webhooks: WebhookStore;
  readonly samples: SampleStore;
  readonly mappings: MappingStore;
  readonly forget: (webhookId: string) => void;
  /** Turns samples into events; doing it twice makes them once. Returns how many there are. */
  readonly recordSamples: (samples: Sample[], webhook: Webhook) => Promise<number>;
};

export type Wanted = { readonly version?: number; readonly processSamples?: boolean };

// Each try meets another activation that was faster.
const maxTries = 5;

export function createActivate(deps: ActivationDeps) {
  const { webhooks, samples, mappings, forget, recordSamples } = deps;

  /** Throws what keeps the webhook from being activated with this version. */
  async function chooseVersion(webhook: Webhook, wanted: number | undefined): Promise<number> {
    if (wanted !== undefined && wanted > webhook.lastVersion) {
      const fields = [{ path: '/version', message: 'names no mapping version' }];
      throw new AppError('invalid_field', { details: { fields } });
    }
    if (webhook.status === 'archived') {
      throw new AppError('invalid_transition', { details: { state: webhook.status } });
    }
    const missing = [
      ...(webhook.sampledAt === null ? ['sample'] : []),
      ...(webhook.lastVersion === 0 ? ['mapping'] : []),
    ];
    if (missing.length > 0) {
      const { status: state } = webhook;
      throw new AppError('setup_incomplete', { details: { state, missing } });
    }
    return wanted ?? webhook.lastVersion;
  }

  async function overlapOf(webhook: Webhook, next: MappingVersion): Promise<number> {
    if (webhook.activeVersion === null) return 0;
    const previous = await mappings.get(webhook._id, webhook.activeVersion);
    const recipe = previous ? eventIdRecipe(previous.mapping) : '';
    return recipe === '' || recipe === eventIdRecipe(next.mapping) ? 0 : dedupOverlapMs;
  }

  async function tryOnce(webhook: Webhook, wanted: Wanted, actor: Actor): Promise<Webhook | null> {
    const version = await chooseVersion(webhook, wanted.version);
    const next = await mappings.get(webhook._id, version);
    if (!next || !compileMapping(next.mapping).ok) {
      const details = { state: webhook.status, missing: ['mapping'] };
      throw new AppError('setup_incomplete', { details });
    }
    const previous = webhook.activeVersion;
    const overlapMs = await overlapOf(webhook, next);
    return webhooks.activate(webhook._id, { version, previous, overlapMs, actor });
  }

  /** Without a version, the newest. */
  return async function activate(id: string, wanted: Wanted, actor: Actor): Promise<Webhook> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const webhook = await webhooks.get(id);
      if (!webhook) throw new AppError('not_found');
      const activated = await tryOnce(webhook, wanted, actor);
      if (!activated) continue;
      forget(id);
      if (wanted.processSamples) await recordSamples(await samples.all(id), activated);
      return activated;
    }
    throw new AppError('conflict');
  };
}
