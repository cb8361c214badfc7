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

export const missingKeysMessage = 'cannot be stored: this installation has no INLET_SECRET_KEYS';

/** What holds the settings. `secrets` are sealed, by setting name. */
type Owner = {
  readonly _id: string;
  readonly settings: ChannelSettings;
  readonly secrets?: Readonly<Record<string, string>>;
};

type SettingsRules = {
  readonly secretNames: readonly string[];
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

function splitSettings(secretNames: readonly string[], settings: ChannelSettings) {
  const entries = Object.entries(settings);
  return {
    plain: Object.fromEntries(entries.filter(([field]) => !secretNames.includes(field))),
    secret: Object.fromEntries(
      entries
        .filter(([field]) => secretNames.includes(field))
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
      message: 'must be given again, or be null to remove it: the URL has another origin',
    })),
  );
}

/** `locationOf` names the place that a secret is sealed for. */
export function createSecretSettings(
  vault: Vault,
  locationOf: (ownerId: string, field: string) => string,
) {
  const open = ({ _id, secrets = {} }: Owner, field: string): unknown => {
    const stored = secrets[field];
    return stored === undefined
      ? undefined
      : (JSON.parse(vault.open(stored, locationOf(_id, field))) as unknown);
  };

  /** Returns sealed secrets by field; null stays null. Throws `invalid_field` when there is no key to seal with. */
  function sealAll(ownerId: string, secret: ChannelSettings): Record<string, string | null> {
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

  return {
    /** Returns the settings of a new owner as they are stored. */
    split(this: void, ownerId: string, secretNames: readonly string[], given: ChannelSettings) {
      const { plain, secret } = splitSettings(secretNames, given);
      return { settings: plain, secrets: sealAll(ownerId, secret) as Record<string, string> };
    },

    /**
     * Merges a change (RFC 7396) and returns the settings as they are stored. Absent secrets stay; secrets that cannot be
     * opened are lost. Nothing stored is merged into secrets for another origin.
     */
    merge(this: void, seen: Owner, change: ChannelSettings, rules: SettingsRules) {
      const { secretNames, originOf, kept = () => null, check } = rules;
      const { plain, secret: given } = splitSettings(secretNames, change);
      const settings = mergePatch(seen.settings, plain) as ChannelSettings;
      const isMoved = originOf(settings) !== originOf(seen.settings);
      const known = (field: string) => (isMoved ? null : openOrNull(() => open(seen, field)));
      const secret = Object.fromEntries(
        Object.entries(given).map(([field, value]) => [field, mergePatch(known(field), value)]),
      );
      check(withoutNulls({ ...(isMoved ? null : kept()), ...settings, ...secret }));
      if (isMoved) requireSecretsAgain(seen, given);
      return { settings, secrets: sealAll(seen._id, secret) };
    },
  };
}

/** Longer than the timeout of any destination. */
export const testWithinMs = 30_000;

type Sent = { readonly kind: 'delivered' } | { readonly kind: string; readonly reason: string };
type TestResult = { readonly outcome: 'delivered' | 'failed'; readonly reason: string | null };

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
