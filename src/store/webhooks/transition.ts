/** One conditional change of a webhook with its audit row, inside a transaction. */
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { StoreContext } from '../audit/audited-change.ts';
import type { Actor, AuditAction, AuditFacts } from '../../domain/audit/audit.ts';
import { maskSettings } from '../../domain/audit/mask-settings.ts';
import type { Webhook, WebhookStatus } from '../../domain/webhooks/webhook.ts';
import { inTransaction, type Session } from '../db/connection.ts';
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
  name: webhook.name,
  channelId: webhook.channelId,
  status: webhook.status,
  activeVersion: webhook.activeVersion,
  schedule: webhook.schedule
    ? { version: webhook.schedule.version, at: webhook.schedule.at.toISOString() }
    : null,
});

export function createWebhookTransition(context: StoreContext) {
  const { connection, audit } = context;
  const webhooks = webhooksOf(connection);

  /** Checks the actor's precondition first, so that its failure differs from `invalid_state`. */
  async function checkActorPrecondition(
    { id, actor: { checkPrecondition } }: Transition,
    session: Session,
  ): Promise<void> {
    if (!checkPrecondition) return;
    const seen = await webhooks.findOne({ _id: id }, { session });
    if (seen) checkPrecondition(seen);
  }

  async function failureOf(id: string, session: Session): Promise<WebhookFailure> {
    const found = await webhooks.findOne({ _id: id }, { session });
    return found ? { ...failure('invalid_state'), status: found.status } : failure('not_found');
  }

  /**
   * Fails without a change when the webhook does not exist or does not meet the condition. The transaction reads one
   * snapshot, so the webhook that the precondition was checked on is the one that is changed.
   */
  return async function change(
    transition: Transition,
    session: Session,
  ): Promise<Result<Webhook, WebhookFailure>> {
    const { id, where, set, action, actor, extraFacts } = transition;
    await checkActorPrecondition(transition, session);
    const change = [{ $set: { ...set, ...touchedNow } }];
    const before = await webhooks.findOneAndUpdate({ _id: id, ...where }, change, {
      session,
      returnDocument: 'before',
    });
    const after = before && (await webhooks.findOne({ _id: id }, { session }));
    if (!before || !after) return failureOf(id, session);
    const target = { type: 'webhook', id } as const;
    const facts = {
      before: webhookFacts(before),
      after: { ...webhookFacts(after, before), ...extraFacts },
    };
    await audit.add({ actor, action, target, ...facts }, session);
    return success(after);
  };
}

export function createWebhookChange(context: StoreContext) {
  const change = createWebhookTransition(context);
  return (transition: Transition): Promise<Result<Webhook, WebhookFailure>> =>
    inTransaction(context.connection, (session) => change(transition, session));
}
