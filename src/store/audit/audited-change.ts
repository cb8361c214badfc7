/**
 * A change of one document together with its audit row.
 *
 * Promises: both are written in one transaction, or neither. The document that the actor's precondition is checked on is
 * the one that is changed.
 */
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { Actor, AuditAction, AuditFacts, AuditTarget } from '../../domain/audit/audit.ts';
import type { Collection } from '../db/collection.ts';
import { inTransaction, type Db, type Session } from '../db/connection.ts';
import { addAuditRow } from './audit.ts';

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

/** Fails with `not_found` without the document, with `invalid_state` when `write` returns null, and with what `write` returns. */
export function changeAudited<Doc extends object, Failed extends Failure = never>(
  db: Db,
  change: AuditedChange<Doc, Failed>,
): Promise<ChangeResult<Doc, Failed>> {
  const { actor, action, target, read, write, factsOf } = change;
  return inTransaction(db.connection, async (session): Promise<ChangeResult<Doc, Failed>> => {
    const before = await read(session);
    if (!before) return failure('not_found');
    actor.checkPrecondition?.(before);
    const after = await write(session, before);
    if (!after) return { ...failure('invalid_state'), current: before };
    if (isFailure(after)) return after;
    const facts = { before: factsOf(before), after: factsOf(after, before) };
    await addAuditRow(db, { actor, action, target, ...facts }, session);
    return success(after);
  });
}

type AuditedRemoval<Doc> = Pick<AuditedChange<Doc, never>, 'actor' | 'action' | 'target'> & {
  /** Returns the removed document. */
  readonly remove: (session: Session) => Promise<Doc | null>;
  readonly factsOf: (doc: Doc) => AuditFacts;
};

/** Removes one document together with its audit row. */
export const removeAudited = <Doc extends object>(
  db: Db,
  { actor, action, target, remove, factsOf }: AuditedRemoval<Doc>,
): Promise<Result<null, Failure<'not_found'>>> =>
  inTransaction(db.connection, async (session) => {
    const removed = await remove(session);
    if (!removed) return failure('not_found');
    actor.checkPrecondition?.(removed);
    await addAuditRow(db, { actor, action, target, before: factsOf(removed) }, session);
    return success(null);
  });

/** Records of a collection that are created and changed in a transaction with their audit rows. */
export type AuditedRecords<Doc extends { _id: string }> = {
  readonly records: Collection<Doc>;
  readonly type: 'agent' | 'channel' | 'label' | 'sector' | 'target' | 'token';
  /** Matches the records that are not deleted. */
  readonly present?: object;
  readonly factsOf: AuditedChange<Doc, never>['factsOf'];
};

type Insertion<Doc, Failed extends Failure> = {
  readonly record: Doc;
  readonly actor: Actor;
  /** A failure that it returns prevents the insert. */
  readonly check?: (session: Session) => Promise<Failed | null>;
};

export const insertAudited = <Doc extends { _id: string }, Failed extends Failure = never>(
  db: Db,
  { records, type, factsOf }: AuditedRecords<Doc>,
  { record, actor, check }: Insertion<Doc, Failed>,
): Promise<Result<Doc, Failed>> =>
  inTransaction(db.connection, async (session): Promise<Result<Doc, Failed>> => {
    const failed = await check?.(session);
    if (failed) return failed;
    await records.insertOne(record, { session });
    const target = { type, id: record._id } as const;
    await addAuditRow(
      db,
      { actor, action: `${type}.create`, target, after: factsOf(record) },
      session,
    );
    return success(record);
  });

type RecordChange<Doc, Failed extends Failure> = { readonly id: string } & Pick<
  AuditedChange<Doc, Failed>,
  'actor' | 'action' | 'write'
>;

export const changeAuditedRecord = <Doc extends { _id: string }, Failed extends Failure = never>(
  db: Db,
  { records, type, present, factsOf }: AuditedRecords<Doc>,
  { id, ...change }: RecordChange<Doc, Failed>,
): Promise<ChangeResult<Doc, Failed>> =>
  changeAudited<Doc, Failed>(db, {
    ...change,
    target: { type, id },
    read: (session) => records.findOne({ _id: id, ...present } as never, { session }),
    factsOf,
  });

/** For `write`: updates the record that matches the conditions and returns it. */
export const updateRecord = <Doc extends { _id: string }>(
  { records, present }: AuditedRecords<Doc>,
  { where, update }: { readonly where: object; readonly update: object },
  session: Session,
): Promise<Doc | null> =>
  records.findOneAndUpdate({ ...where, ...present } as never, update, {
    session,
    returnDocument: 'after',
  });
