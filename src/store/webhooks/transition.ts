/** One conditional change of a webhook, and its audit row, inside a transaction. */
import type { StoreContext } from '../audit/store-context.ts';
import type { Actor, AuditAction, AuditFacts } from '../../domain/audit/audit.ts';
import { maskSettings } from '../../domain/audit/mask-settings.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
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

/** Database time, so that every receiver's poll agrees with it. */
export const touchedNow = { updatedAt: '$$NOW', changedAt: '$$NOW' } as const;

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

  /**
   * Null when there is no such webhook or the condition does not hold: then nothing happened. The transaction sees one
   * state of the webhook from its beginning on, so that what was met is what is changed.
   */
  return async function change(
    transition: Transition,
    session: Session,
  ): Promise<{ before: Webhook; after: Webhook } | null> {
    const { id, where, set, action, actor, extraFacts } = transition;
    await meet(transition, session);
    const before = await webhooks
      .findOneAndUpdate({ _id: id, ...where }, [{ $set: { ...set, ...touchedNow } }], {
        session,
        returnDocument: 'before',
        updatePipeline: true,
      })
      .lean<Webhook | null>();
    if (!before) return null;
    const after = await webhooks.findById(id).session(session).orFail().lean<Webhook>();
    const target = { type: 'webhook', id } as const;
    const facts = {
      before: webhookFacts(before),
      after: { ...webhookFacts(after, before), ...extraFacts },
    };
    await audit.add({ actor, action, target, ...facts }, session);
    return { before, after };
  };
}
