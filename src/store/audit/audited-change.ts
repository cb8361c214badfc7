/**
 * A change of one document together with its audit row.
 *
 * Promises: both are written in one transaction, or neither. The document that the actor's precondition is checked on is
 * the one that is changed.
 */
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { Actor, AuditAction, AuditFacts, AuditTarget } from '../../domain/audit/audit.ts';
import { inTransaction, type Session } from '../db/connection.ts';
import type { StoreContext } from './store-context.ts';

type AuditedChange<Doc, Failed extends Failure> = {
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly target: AuditTarget;
  /** Returns null when the document does not exist: the change fails with `not_found`. */
  readonly read: (session: Session) => Promise<Doc | null>;
  /** Returns the document after the change; null fails with `invalid_state`. Must not write when it fails. */
  readonly write: (session: Session, before: Doc) => Promise<Doc | Failed | null>;
  /** Returns the facts of the audit row. `before` is set for the document after the change, to detect a changed secret. */
  readonly factsOf: (doc: Doc, before?: Doc) => AuditFacts;
};

/** `current`: the document whose state does not allow the change. */
type InvalidState<Doc> = Failure<'invalid_state'> & { readonly current: Doc };
export type ChangeResult<Doc, Failed extends Failure = never> = Result<
  Doc,
  Failure<'not_found'> | InvalidState<Doc> | Failed
>;

const isFailure = (found: object): found is Failure => 'ok' in found && found.ok === false;

/** Returns a function that makes an audited change and returns the document after it. */
export function createAuditedChange({ connection, audit }: StoreContext) {
  return function audited<Doc extends object, Failed extends Failure = never>(
    change: AuditedChange<Doc, Failed>,
  ): Promise<ChangeResult<Doc, Failed>> {
    const { actor, action, target, read, write, factsOf } = change;
    return inTransaction(connection, async (session): Promise<ChangeResult<Doc, Failed>> => {
      const before = await read(session);
      if (!before) return failure('not_found');
      actor.checkPrecondition?.(before);
      const after = await write(session, before);
      if (!after) return { ...failure('invalid_state'), current: before };
      if (isFailure(after)) return after;
      const facts = { before: factsOf(before), after: factsOf(after, before) };
      await audit.add({ actor, action, target, ...facts }, session);
      return success(after);
    });
  };
}
