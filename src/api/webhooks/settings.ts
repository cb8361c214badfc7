/**
 * Webhook settings: producer profile, sender verification, response, source policy, retries, deduplication and
 * retention.
 *
 * Promises: secrets are sealed and write-only. Settings that would reject every request are rejected.
 */
import { AppError, type FieldProblem, invalidField, orNotFound } from '../../base/errors.ts';
import { mergePatch, type MergePatch } from '../../base/json/merge-patch.ts';
import { cleanSecret } from '../../base/secrets/pasted-secret.ts';
import { openOrNull, type Vault } from '../../base/secrets/vault.ts';
import { parseRange } from '../../domain/access/ip-address.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import {
  mapSecrets,
  secretsOf,
  signatureSecretLocation,
} from '../../domain/access/secret-locations.ts';
import type { Webhook, WebhookSettings } from '../../domain/webhooks/webhook.ts';
import { answeredName, isAnswerHeader } from '../../producers/handshake/handshake.ts';
import { challengePreset } from '../../producers/handshake/presets.ts';
import { schemeOf } from '../../producers/sender-checks.ts';
import { allowsEmptyPerson, producerOf } from '../../producers/registry.ts';
import { isUsableSecret } from '../../producers/signature/verify.ts';
import type { ApiContext } from '../context.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { missingKeysMessage } from '../channels/secret-settings.ts';
import { type PublicText, textWith } from '../../base/texts/texts.ts';
import { getWebhook, updateWebhookSettings } from '../../store/webhooks/webhooks.ts';

const defaultProfile = 'generic';
/** Placeholder for a secret in validation. */
const placeholder = 'hidden';

type Configuration = { readonly producerProfile?: string } & WebhookSettings;

/** Merge patch: null removes a setting, absent settings stay. */
type SettingsPatch = MergePatch<Configuration>;

type CheckConfiguration = (configuration: Configuration) => readonly FieldProblem[];

export type SettingsChange = {
  readonly id: string;
  readonly patch: SettingsPatch;
  readonly check: CheckConfiguration;
};

export async function changeSettings(
  ctx: ApiContext,
  { id, patch: asked, check }: SettingsChange,
  actor: Actor,
): Promise<Webhook> {
  const { invalidate, vault } = ctx;
  requireKey(asked, vault);
  const patch = mapSecrets(asked, id, (secret, location) =>
    vault.seal(cleanSecret(secret), location),
  );
  const changed = await retryOnConflict(async () => {
    const webhook = orNotFound(await getWebhook(ctx, id));
    const { status: state } = webhook;
    if (state === 'archived') throw new AppError('invalid_transition', { details: { state } });
    const { producerProfile = defaultProfile, ...settings } = mergeSettings(webhook, patch);
    rejectAll(check(mapSecrets({ producerProfile, ...settings }, id, () => placeholder)));
    requireKnownNames(producerProfile, settings);
    requireUsableSecrets(vault, { ...webhook, producerProfile, settings });
    return updateWebhookSettings(ctx, { webhook, given: { producerProfile, settings } }, actor);
  });
  invalidate(id);
  return changed;
}

/** Returns the setting, or the default of the producer. */
export const makesEmptyPeople = ({
  producerProfile,
  ...settings
}: Pick<Webhook, 'producerProfile'> & WebhookSettings): boolean =>
  allowsEmptyPerson({ producerProfile, settings });

function requireKey(given: SettingsPatch, { canSeal }: Vault): void {
  if (canSeal || secretsOf(given).length === 0) return;
  const hasToken = typeof given.handshake?.verifyToken === 'string';
  const path = hasToken ? '/handshake/verifyToken' : '/signature/secrets';
  throw invalidField(path, missingKeysMessage);
}

/** Merges the patch. A signature without secrets gets an empty list, which the schema rejects at its path. */
function mergeSettings(
  { producerProfile, settings }: Webhook,
  patch: SettingsPatch,
): Configuration {
  const whole = mergePatch({ producerProfile, ...settings }, patch) as Configuration;
  const { signature } = whole;
  return signature
    ? { ...whole, signature: { ...signature, secrets: signature.secrets ?? [] } }
    : whole;
}

function rejectAll(fields: readonly FieldProblem[]): void {
  if (fields.length > 0) throw new AppError('invalid_field', { details: { fields } });
}

/** Rejects a secret that gives the scheme no key. One that cannot be decrypted stays; requests get 503. */
function requireUsableSecrets(
  vault: Vault,
  { _id, producerProfile, settings }: Pick<Webhook, '_id' | 'producerProfile' | 'settings'>,
): void {
  const scheme = schemeOf(producerOf(producerProfile), settings);
  const location = signatureSecretLocation(_id);
  const problems = (settings.signature?.secrets ?? []).flatMap((stored, index): FieldProblem[] => {
    const secret = openOrNull(() => vault.open(stored, location));
    if (scheme === null || secret === null || isUsableSecret(secret, scheme)) return [];
    return [{ path: `/signature/secrets/${index}`, message: 'field.no_key_of_scheme' }];
  });
  rejectAll(problems);
}

/**
 * Rejects a scheme or challenge that does not exist: it would reject every request or answer no handshake.
 * Throws `invalid_field`.
 */
function requireKnownNames(profile: string, settings: WebhookSettings): void {
  const reject = (path: string, message: PublicText) => rejectAll([{ path, message }]);
  const { signature, handshake, allowlist = [] } = settings;
  const unreadable = [...allowlist.keys()].filter((index) => !parseRange(allowlist[index] ?? ''));
  rejectAll(
    unreadable.map((index) => ({
      path: `/allowlist/${index}`,
      message: 'field.not_a_range',
    })),
  );
  const scheme = schemeOf(producerOf(profile), settings);
  if (signature && scheme === null) {
    reject('/signature/scheme', 'field.unknown_scheme');
  }
  if (scheme?.kind === 'hash' && !scheme.signed?.includes('{secret}')) {
    reject(
      '/signature/scheme/signed',
      textWith('field.template_without_secret', { slot: '{secret}' }),
    );
  }
  const challenge = handshake?.challenge;
  if (typeof challenge === 'string' && challengePreset(challenge) === null) {
    reject('/handshake/challenge', 'field.unknown_challenge');
  }
  const header =
    typeof challenge === 'object' && challenge.as === 'header' ? answeredName(challenge) : null;
  if (header !== null && !isAnswerHeader(header)) {
    reject('/handshake/challenge/name', 'field.handshake_header');
  }
}
