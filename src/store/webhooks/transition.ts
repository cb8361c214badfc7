/** One conditional change of a webhook with its audit row, inside a transaction. */
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { StoreContext } from '../audit/store-context.ts';
import type { Actor, AuditAction, AuditFacts } from '../../domain/audit/audit.ts';
import { maskSettings } from '../../domain/audit/mask-settings.ts';
import type { Webhook, WebhookStatus } from '../../domain/webhooks/webhook.ts';
import type { Session } from '../db/model.ts';
import { webhookModel } from './records.ts';

export type Transition = {
  readonly id: string;
  /** What must hold for the change to happen. */
  readonly where: Readonly<Record<string, unknown>>;
  /** Aggregation expressions by field; texts from outside must come as `$literal`. */
  readonly set: Readonly<Record<string, unknown>>;
  readonly action: AuditAction;
  readonly actor: Actor;
  /** What the audit row says beside what the webhook is then. */
  readonly extraFacts?: Readonly<Record<string, unknown>>;
};

/** `invalid_state`: the webhook exists, and its status or version is not one that the change is possible from. */
export type WebhookFailure =
  Failure<'not_found'> | (Failure<'invalid_state'> & { readonly status: WebhookStatus });

/** Database time, so that every receiver's poll agrees with it. */
const touchedNow = { updatedAt: '$$NOW', changedAt: '$$NOW' } as const;

/** `before` comes with the webhook after the change: of a secret the facts tell whether it changed. */
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
  const webhooks = webhookModel(connection);

  /** A webhook that has changed since it was seen is told from one whose state forbids the change. */
  async function meet(
    { id, actor: { checkPrecondition } }: Transition,
    session: Session,
  ): Promise<void> {
    if (!checkPrecondition) return;
    const seen = await webhooks.findById(id).session(session).lean<Webhook | null>();
    if (seen) checkPrecondition(seen);
  }

  async function whyNot(id: string, session: Session): Promise<WebhookFailure> {
    const found = await webhooks.findById(id).session(session).lean<Webhook | null>();
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
    await meet(transition, session);
    const before = await webhooks
      .findOneAndUpdate({ _id: id, ...where }, [{ $set: { ...set, ...touchedNow } }], {
        session,
        returnDocument: 'before',
        updatePipeline: true,
      })
      .lean<Webhook | null>();
    if (!before) return whyNot(id, session);
    const after = await webhooks.findById(id).session(session).orFail().lean<Webhook>();
    const target = { type: 'webhook', id } as const;
    const facts = {
      before: webhookFacts(before),
      after: { ...webhookFacts(after, before), ...extraFacts },
    };
    await audit.add({ actor, action, target, ...facts }, session);
    return success(after);
  };
}
