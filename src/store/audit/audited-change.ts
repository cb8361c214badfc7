/** A change that a person makes to one document that is as they believe it to be, and its audit row: both, or neither. */
import type { StoreContext } from './store-context.ts';
import type { Actor, AuditAction, AuditFacts, AuditTarget } from '../../domain/audit/audit.ts';
import { inTransaction, type Session } from '../db/model.ts';

export type AuditedChange<Doc> = {
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly target: AuditTarget;
  readonly read: (session: Session) => Promise<Doc | null>;
  /** Null when the state forbids it: then nothing happened. */
  readonly write: (session: Session) => Promise<Doc | null>;
  /** `before` comes with the document after the change: of a secret the facts tell whether it changed. */
  readonly factsOf: (doc: Doc, before?: Doc) => AuditFacts;
};

/** Returns the document as it is now. */
export function createAuditedChange(context: StoreContext) {
  const { connection, audit } = context;
  return function audited<Doc>(change: AuditedChange<Doc>): Promise<Doc | null> {
    const { actor, action, target, read, write, factsOf } = change;
    return inTransaction(connection, async (session) => {
      const before = await read(session);
      if (before) actor.checkPrecondition?.(before);
      const after = before && (await write(session));
      if (!before || !after) return null;
      const facts = { before: factsOf(before), after: factsOf(after, before) };
      await audit.add({ actor, action, target, ...facts }, session);
      return after;
    });
  };
}
