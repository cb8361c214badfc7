/** Records with settings and sealed secrets: channels, and targets of notices. */
import type { Actor, AuditAction } from '../../domain/audit/audit.ts';
import { maskSettings } from '../../domain/audit/mask-settings.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import type { Db } from '../db/connection.ts';
import { changeAuditedRecord, updateRecord, type AuditedRecords } from '../audit/audited-change.ts';

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

function updateWithSecrets({ secrets = {}, ...set }: SecretsChange, updatedAt: Date) {
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

type SeenChange = {
  readonly seen: { readonly _id: string; readonly updatedAt: Date };
  readonly change: SecretsChange;
  readonly actor: Actor;
  readonly action: AuditAction;
};

/** Changes the record unless it was deleted or has changed since it was seen. */
export const changeSeen = <Doc extends { _id: string }>(
  db: Db,
  audited: AuditedRecords<Doc>,
  { seen: { _id, updatedAt }, change, ...by }: SeenChange,
) => {
  // Two changes in one millisecond have different times.
  const later = new Date(Math.max(+db.clock.now(), +updatedAt + 1));
  const update = updateWithSecrets(change, later);
  return changeAuditedRecord(db, audited, {
    ...by,
    id: _id,
    write: (session) => updateRecord(audited, { where: { _id, updatedAt }, update }, session),
  });
};
