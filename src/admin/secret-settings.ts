/**
 * Settings of which some are secret, of a channel or of a notice target.
 *
 * Promises: secrets are sealed for their owner and field before they are stored, and stay with the origin that they were
 * given for.
 * Must never: return a secret to a caller of the API.
 */
import { AppError, type FieldProblem } from '../base/errors.ts';
import { mergePatch } from '../base/json/merge-patch.ts';
import { openOrNull, type Vault } from '../base/secrets/vault.ts';
import type { ChannelSettings } from '../channels/channel.ts';

export const missingKeysMessage = 'cannot be stored: this installation has no INLET_SECRET_KEYS';

/** What holds the settings. `secrets` are sealed, by setting name. */
type Owner = { readonly _id: string; readonly secrets?: Readonly<Record<string, string>> };

/** Throws `invalid_field`. Paths of the problems start at the settings. */
export function rejectSettings(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  const fields = problems.map(({ path, message }) => ({ path: `/settings${path}`, message }));
  throw new AppError('invalid_field', { details: { fields } });
}

export const withoutNulls = (settings: ChannelSettings): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));

/** Separates plain from secret settings. */
export function splitSettings(secretNames: readonly string[], settings: ChannelSettings) {
  const secret = new Set(secretNames);
  const entries = Object.entries(settings);
  return {
    plain: Object.fromEntries(entries.filter(([field]) => !secret.has(field))),
    secret: Object.fromEntries(entries.filter(([field]) => secret.has(field))),
  };
}

/** Requires each stored secret again, or null to remove it: otherwise it would be sent to an origin it was not given for. */
export function requireSecretsAgain({ secrets = {} }: Owner, given: ChannelSettings): void {
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
  return {
    /** Returns sealed secrets by field; null stays null. Throws `invalid_field` when there is no key to seal with. */
    sealAll(this: void, ownerId: string, secret: ChannelSettings): Record<string, string | null> {
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
    },

    /**
     * Merges settings that hold several secrets; absent secrets stay. Secrets that cannot be opened are lost. Nothing stored
     * is merged into secrets for another origin.
     */
    mergeSecrets: (seen: Owner, given: ChannelSettings, isMoved: boolean) => {
      const known = (field: string) => (isMoved ? null : openOrNull(() => open(seen, field)));
      return Object.fromEntries(
        Object.entries(given).map(([field, value]) => [field, mergePatch(known(field), value)]),
      );
    },
  };
}
