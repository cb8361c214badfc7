/** A change that a person makes to one document, and its audit row: both, or neither. */
import type { Actor, AuditFacts, AuditTarget } from '../domain/audit.ts';
import { createAuditStore } from './audit.ts';
import type { Connection } from './connection.ts';
import { inTransaction, type Session } from './model.ts';

export type AuditedChange<Doc> = {
  readonly actor: Actor;
  readonly action: string;
  readonly target: AuditTarget;
  readonly read: (session: Session) => Promise<Doc | null>;
  /** Null when the state forbids it: then nothing happened. */
  readonly write: (session: Session) => Promise<Doc | null>;
  readonly factsOf: (doc: Doc) => AuditFacts;
};

/** Returns the document as it is now. */
export function createAudited(connection: Connection) {
  const audit = createAuditStore(connection);
  return function audited<Doc>(change: AuditedChange<Doc>): Promise<Doc | null> {
    const { actor, action, target, read, write, factsOf } = change;
    return inTransaction(connection, async (session) => {
      const before = await read(session);
      const after = before && (await write(session));
      if (!before || !after) return null;
      const facts = { before: factsOf(before), after: factsOf(after) };
      await audit.add({ actor, action, target, ...facts }, session);
      return after;
    });
  };
}
