/** One conditional change of a webhook with its audit row. */
import { failure, type Failure, type Result } from '../../base/result.ts';
import { changeAudited } from '../audit/audited-change.ts';
import type { Actor, AuditAction, AuditFacts } from '../../domain/audit/audit.ts';
import { maskSettings } from '../../domain/audit/mask-settings.ts';
import {
  webhookFieldsOf,
  type Webhook,
  type WebhookStatus,
} from '../../domain/webhooks/webhook.ts';
import type { Db, Session } from '../db/connection.ts';
import { webhooksOf } from './records.ts';

type Transition = {
  readonly id: string;
  readonly where: Readonly<Record<string, unknown>>;
  /** Aggregation expressions by field. Texts from outside must be wrapped in `$literal`. */
  readonly set: Readonly<Record<string, unknown>>;
  readonly action: AuditAction;
  readonly actor: Actor;
  /** Facts of the audit row in addition to the webhook after the change. */
  readonly extraFacts?: Readonly<Record<string, unknown>>;
};

/** `invalid_state`: the webhook exists, and its status or version does not allow the change. */
export type WebhookFailure =
  | Failure<'not_found'>
  | (Failure<'invalid_state'> & { readonly status: WebhookStatus });

/** The database's time, because receivers poll by it. */
const touchedNow = { updatedAt: '$$NOW', changedAt: '$$NOW' } as const;

/** Returns the audit facts. `before`: the webhook before the change. The facts show only whether a secret changed. */
export const webhookFacts = (webhook: Webhook, before = webhook): AuditFacts => ({
  producerProfile: webhook.producerProfile,
  settings: maskSettings(webhook.settings, before.settings),
  ...webhookFieldsOf(webhook),
  channelId: webhook.channelId,
  status: webhook.status,
  activeVersion: webhook.activeVersion,
  schedule: webhook.schedule
    ? { version: webhook.schedule.version, at: webhook.schedule.at.toISOString() }
    : null,
});

/** What else happens in the transaction. */
type Companions<Failed extends Failure> = {
  /** Runs before the change, which does not happen when it returns a failure. */
  readonly check?: (session: Session, before: Webhook) => Promise<Failed | null>;
  /** Runs after the change. */
  readonly after?: (session: Session) => Promise<void>;
};

/** Makes one change in a transaction of its own. */
export async function transitionWebhook<Failed extends Failure = never>(
  db: Db,
  { id, where, set, action, actor, extraFacts }: Transition,
  { check, after }: Companions<Failed> = {},
): Promise<Result<Webhook, WebhookFailure | Failed>> {
  const webhooks = webhooksOf(db.connection);
  const changed = await changeAudited<Webhook, Failed>(db, {
    actor,
    action,
    target: { type: 'webhook', id },
    read: (session) => webhooks.findOne({ _id: id }, { session }),
    write: async (session, before) => {
      const failed = await check?.(session, before);
      if (failed) return failed;
      const updated = await webhooks.findOneAndUpdate(
        { _id: id, ...where },
        [{ $set: { ...set, ...touchedNow } }],
        { session, returnDocument: 'after' },
      );
      if (updated) await after?.(session);
      return updated;
    },
    factsOf: (webhook, before) => ({
      ...webhookFacts(webhook, before),
      ...(before && extraFacts),
    }),
  });
  if (!changed.ok && 'current' in changed)
    return { ...failure('invalid_state'), status: changed.current.status };
  return changed as Result<Webhook, Failure<'not_found'> | Failed>;
}
