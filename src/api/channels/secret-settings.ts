/**
 * Settings of which some are secret, of a channel or of a notice target.
 *
 * Promises: secrets are sealed for their owner and field before they are stored, and stay with the origin that they were
 * given for.
 * Must never: return a secret to a caller of the API.
 */
import { AppError, type FieldProblem } from '../../base/errors.ts';
import { mergePatch } from '../../base/json/merge-patch.ts';
import { cleanSecrets } from '../../base/secrets/pasted-secret.ts';
import { openOrNull, type Vault } from '../../base/secrets/vault.ts';
import type { ChannelSettings } from '../../channels/channel.ts';
import type { Reason } from '../../domain/events/actions.ts';

export const missingKeysMessage = 'field.no_secret_keys';

/** What holds the settings. `secrets` are sealed, by setting name. */
type Owner = {
  readonly _id: string;
  readonly settings: ChannelSettings;
  readonly secrets?: Readonly<Record<string, string>>;
};

/** `locationOf` names the place that a secret is sealed for. */
export type SecretSettings = {
  readonly vault: Vault;
  /** Of the settings that are secret. */
  readonly names: readonly string[];
  readonly locationOf: (ownerId: string, field: string) => string;
};

type SettingsChange = {
  readonly change: ChannelSettings;
  readonly originOf: (settings: ChannelSettings) => string | null;
  /** Returns stored settings that `check` needs too, unless the origin changes. */
  readonly kept?: () => ChannelSettings | null;
  readonly check: (settings: ChannelSettings) => void;
};

/** Throws `invalid_field`. Paths of the problems start at the settings. */
export function rejectSettings(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  const fields = problems.map(({ path, message }) => ({ path: `/settings${path}`, message }));
  throw new AppError('invalid_field', { details: { fields } });
}

const withoutNulls = (settings: ChannelSettings): ChannelSettings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));

function splitSettings({ names }: SecretSettings, settings: ChannelSettings) {
  const entries = Object.entries(settings);
  return {
    plain: Object.fromEntries(entries.filter(([field]) => !names.includes(field))),
    secret: Object.fromEntries(
      entries
        .filter(([field]) => names.includes(field))
        .map(([field, value]) => [field, cleanSecrets(value)]),
    ),
  };
}

/** Requires each stored secret again, or null to remove it: otherwise it would be sent to an origin it was not given for. */
function requireSecretsAgain({ secrets = {} }: Owner, given: ChannelSettings): void {
  const absent = Object.keys(secrets).filter((field) => !Object.hasOwn(given, field));
  rejectSettings(
    absent.map((field) => ({
      path: `/${field}`,
      message: 'field.secret_of_other_origin',
    })),
  );
}

function openSecret(
  { vault, locationOf }: SecretSettings,
  { _id, secrets = {} }: Owner,
  field: string,
): unknown {
  const stored = secrets[field];
  return stored === undefined
    ? undefined
    : (JSON.parse(vault.open(stored, locationOf(_id, field))) as unknown);
}

/** Returns sealed secrets by field; null stays null. Throws `invalid_field` when there is no key to seal with. */
function sealAll(
  { vault, locationOf }: SecretSettings,
  ownerId: string,
  secret: ChannelSettings,
): Record<string, string | null> {
  const given = Object.entries(secret);
  if (!vault.canSeal) {
    rejectSettings(
      given
        .filter(([, value]) => value !== null)
        .map(([field]) => ({ path: `/${field}`, message: missingKeysMessage })),
    );
  }
  return Object.fromEntries(
    given.map(([field, value]) => [
      field,
      value === null ? null : vault.seal(JSON.stringify(value), locationOf(ownerId, field)),
    ]),
  );
}

/** Returns the settings of a new owner as they are stored. */
export function sealSettings(secrets: SecretSettings, ownerId: string, given: ChannelSettings) {
  const { plain, secret } = splitSettings(secrets, given);
  const sealed = sealAll(secrets, ownerId, secret) as Record<string, string>;
  return { settings: plain, secrets: sealed };
}

/**
 * Merges a change (RFC 7396) and returns the settings as they are stored. Absent secrets stay; secrets that cannot be
 * opened are lost. Nothing stored is merged into secrets for another origin.
 */
export function mergeSettings(
  secrets: SecretSettings,
  seen: Owner,
  { change, originOf, kept = () => null, check }: SettingsChange,
) {
  const { plain, secret: given } = splitSettings(secrets, change);
  const settings = mergePatch(seen.settings, plain) as ChannelSettings;
  const isMoved = originOf(settings) !== originOf(seen.settings);
  const known = (field: string) =>
    isMoved ? null : openOrNull(() => openSecret(secrets, seen, field));
  const secret = Object.fromEntries(
    Object.entries(given).map(([field, value]) => [field, mergePatch(known(field), value)]),
  );
  check(withoutNulls({ ...(isMoved ? null : kept()), ...settings, ...secret }));
  if (isMoved) requireSecretsAgain(seen, given);
  return { settings, secrets: sealAll(secrets, seen._id, secret) };
}

/** Longer than the timeout of any destination. */
export const testWithinMs = 30_000;

type Sent = { readonly kind: 'delivered' } | { readonly kind: string; readonly reason: string };
export type TestResult = {
  readonly outcome: 'delivered' | 'failed';
  readonly reason: string | null;
};

/** Sends a test with the opened settings; null: they cannot be opened. */
export async function testDestination(
  settings: Record<string, unknown> | null,
  send: (settings: Record<string, unknown>) => Promise<Sent>,
): Promise<TestResult> {
  if (!settings) return { outcome: 'failed', reason: 'secret_unreadable' satisfies Reason };
  const sent = await send(settings);
  return 'reason' in sent
    ? { outcome: 'failed', reason: sent.reason }
    : { outcome: 'delivered', reason: null };
}
