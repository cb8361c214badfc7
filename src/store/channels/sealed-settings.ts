/** Records with settings and sealed secrets: channels, and targets of notices. */
import { maskSettings } from '../../domain/audit/mask-settings.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';

type Sealed = Pick<ChannelRecord, 'settings' | 'secrets'>;

export type SecretsChange = {
  /** Sealed secrets by field. Null removes a secret. Absent fields stay unchanged. */
  readonly secrets?: Readonly<Record<string, string | null>>;
};

/** Returns the settings for the audit log, which shows of a secret only whether it changed. */
export const settingsFacts = (record: Sealed, before: Sealed): unknown =>
  maskSettings(
    { ...record.settings, ...record.secrets },
    { ...before.settings, ...before.secrets },
  );

/** Returns a time after `date`, so that two changes in one millisecond have different times. */
export const laterThan = (date: Date, now: Date): Date => new Date(Math.max(+now, +date + 1));

export function updateWithSecrets({ secrets = {}, ...set }: SecretsChange, updatedAt: Date) {
  const entries = Object.entries(secrets);
  const named = (pairs: typeof entries) =>
    Object.fromEntries(pairs.map(([field, stored]) => [`secrets.${field}`, stored ?? true]));
  const sealed = entries.filter(([, stored]) => stored !== null);
  const dropped = entries.filter(([, stored]) => stored === null);
  return {
    $set: { ...set, ...named(sealed), updatedAt },
    ...(dropped.length > 0 && { $unset: named(dropped) }),
  };
}
