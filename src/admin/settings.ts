/**
 * How a webhook meets its sender: the producer's profile, signatures, handshakes, the answer; and how its events are
 * tried again.
 *
 * Promises: secrets go in and never come out; what names nothing is refused before it could refuse deliveries.
 */
import { AppError } from '../base/errors.ts';
import type { Actor } from '../domain/audit.ts';
import type { Webhook, WebhookSettings } from '../domain/webhook.ts';
import { challengePreset } from '../producers/handshake/presets.ts';
import { schemeOf } from '../producers/reception.ts';
import { producerOf } from '../producers/registry.ts';
import type { WebhookStore } from '../store/webhooks.ts';

const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/** A part that is null is taken away; one that is left out stays as it is. */
export type GivenSettings = {
  readonly producerProfile?: string;
  readonly signature?: Partial<NonNullable<WebhookSettings['signature']>> | null;
  readonly handshake?: WebhookSettings['handshake'] | null;
  readonly answer?: WebhookSettings['answer'] | null;
  readonly retries?: WebhookSettings['retries'] | null;
};

export function presentSettings({ producerProfile, settings }: Webhook) {
  const { signature, handshake, answer, retries } = settings;
  return {
    producerProfile,
    signature: signature
      ? {
          scheme: signature.scheme ?? null,
          toleranceSeconds: signature.toleranceSeconds ?? null,
          secretsSet: signature.secrets.length,
        }
      : null,
    handshake: handshake
      ? {
          challenge: handshake.challenge ?? null,
          verifyTokenSet: handshake.verifyToken !== undefined,
        }
      : null,
    answer: answer ?? null,
    retries: retries
      ? {
          maxAttempts: retries.maxAttempts ?? null,
          delaysSeconds: retries.delaysSeconds ?? null,
        }
      : null,
  };
}

type SettingsDeps = {
  readonly webhooks: Pick<WebhookStore, 'get' | 'configure'>;
  readonly forget: (webhookId: string) => void;
};

// Each try meets another change that was faster.
const maxTries = 5;

export function createSettings({ webhooks, forget }: SettingsDeps) {
  async function get(id: string): Promise<Webhook> {
    const webhook = await webhooks.get(id);
    if (!webhook) throw new AppError('not_found');
    return webhook;
  }

  return {
    get,

    async change(id: string, given: GivenSettings, actor: Actor): Promise<Webhook> {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const webhook = await get(id);
        if (webhook.status === 'archived') break;
        const { producerProfile = webhook.producerProfile } = given;
        const settings = merged(webhook.settings, given);
        requireMeaning(producerProfile, settings);
        const changed = await webhooks.configure(webhook, { producerProfile, settings }, actor);
        forget(id);
        if (changed) return changed;
      }
      throw new AppError('invalid_transition', { details: { state: (await get(id)).status } });
    },
  };
}

function merged(current: WebhookSettings, given: GivenSettings): WebhookSettings {
  const pick = <Part>(part: Part | null | undefined, now: Part | undefined) =>
    part === undefined ? now : (part ?? undefined);
  const signature = given.signature && { secrets: [], ...current.signature, ...given.signature };
  const parts = {
    signature: pick(signature, current.signature),
    handshake: pick(given.handshake, current.handshake),
    answer: pick(given.answer, current.answer),
    retries: pick(given.retries, current.retries),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}

/** A scheme or challenge that names nothing would refuse every delivery, or answer no handshake. */
function requireMeaning(profile: string, settings: WebhookSettings): void {
  const refuse = (path: string, message: string) => {
    throw new AppError('invalid_field', { details: { fields: [{ path, message }] } });
  };
  const { signature, handshake } = settings;
  const scheme = schemeOf(producerOf(profile), settings);
  if (signature && scheme === null) {
    refuse('/signature/scheme', 'names no scheme, and the producer has none of its own');
  }
  if (scheme?.kind === 'hash' && !scheme.signed?.includes('{secret}')) {
    refuse('/signature/scheme/signed', 'must have {secret}, or anybody can compute it');
  }
  const challenge = handshake?.challenge;
  if (typeof challenge === 'string' && challengePreset(challenge) === null) {
    refuse('/handshake/challenge', 'names no challenge');
  }
  const named = typeof challenge === 'object' && challenge.as === 'header' ? challenge.name : null;
  if (named && !headerName.test(named)) refuse('/handshake/challenge/name', 'names no header');
}
