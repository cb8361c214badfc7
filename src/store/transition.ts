/** One conditional change of a webhook, and its audit row, inside a transaction. */
import type { Actor, AuditFacts } from '../domain/audit.ts';
import type { Webhook } from '../domain/webhook.ts';
import { createAuditStore } from './audit.ts';
import type { Connection } from './connection.ts';
import type { Session } from './model.ts';
import { webhookModel } from './records.ts';

export type Transition = {
  readonly id: string;
  /** What must hold for the change to happen. */
  readonly where: Readonly<Record<string, unknown>>;
  /** Aggregation expressions by field; texts from outside must come as `$literal`. */
  readonly set: Readonly<Record<string, unknown>>;
  readonly action: string;
  readonly actor: Actor;
};

/** Database time, so that every receiver's poll agrees with it. */
export const noticed = { updatedAt: '$$NOW', changedAt: '$$NOW' } as const;

export const factsOf = ({
  name,
  channelId,
  producerProfile,
  settings,
  status,
  activeVersion,
}: Webhook): AuditFacts => ({
  producerProfile,
  /** Which parts are set; what they hold may be secret. */
  settings: Object.keys(settings),
  name,
  channelId,
  status,
  activeVersion,
});

export function createTransition(connection: Connection) {
  const webhooks = webhookModel(connection);
  const audit = createAuditStore(connection);

  /** Null when there is no such webhook or the condition does not hold: then nothing happened. */
  return async function change(
    transition: Transition,
    session: Session,
  ): Promise<{ before: Webhook; after: Webhook } | null> {
    const { id, where, set, action, actor } = transition;
    const before = await webhooks
      .findOneAndUpdate({ _id: id, ...where }, [{ $set: { ...set, ...noticed } }], {
        session,
        returnDocument: 'before',
        updatePipeline: true,
      })
      .lean<Webhook | null>();
    if (!before) return null;
    const after = await webhooks.findById(id).session(session).orFail().lean<Webhook>();
    const target = { type: 'webhook', id } as const;
    const facts = { before: factsOf(before), after: factsOf(after) };
    await audit.add({ actor, action, target, ...facts }, session);
    return { before, after };
  };
}
