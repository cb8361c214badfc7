/**
 * API tokens by their SHA-256. Collection `tokens`. Only the creator sees the token itself.
 *
 * Promises: each change is written with its audit row; concurrent revocations leave at least one unrestricted
 * admin token.
 */
import type { Clock } from '../../base/clock.ts';
import { derivedId } from '../../base/ids.ts';
import { failure, type Failure } from '../../base/result.ts';
import { systemActor, type Actor, type AuditFacts } from '../../domain/audit/audit.ts';
import type { DateRange, Page, Paged } from '../../domain/pagination.ts';
import type { Scope, Token, TokenState } from '../../domain/access/token.ts';
import {
  changeAuditedRecord,
  insertAudited,
  updateRecord,
  type AuditedRecords,
} from '../audit/audited-change.ts';
import { collectionOf, type Collection } from '../db/collection.ts';
import { indexesOf, type Session, type Db } from '../db/connection.ts';
import { ignoreDuplicate } from '../db/errors.ts';
import { anyOf, escapeRegex, inDateRange, readPage } from '../db/queries.ts';

const collection = 'tokens';

export const tokenIndexes = indexesOf(collection, {
  by_hash: { key: { hash: 1 }, unique: true },
  by_creation: { key: { createdAt: -1, _id: -1 } },
  by_name: { key: { name: 1, _id: 1 } },
  by_use: { key: { lastUsedAt: 1, _id: 1 } },
});

/** Index by sort field. A list uses the index of its order for every filter, because tokens are few. */
const indexOf: Readonly<Record<string, string>> = { name: 'by_name', lastUsedAt: 'by_use' };

/** Fixed id for all processes and all starts, so that the first token is created only once. */
export const firstTokenId = derivedId('token', 'first');

const touchEveryMs = 60_000;

type TokenFilter = DateRange & {
  readonly name?: readonly string[];
  /** Part of the name. Case is ignored. */
  readonly search?: string;
  readonly scope?: readonly Scope[];
  readonly state?: readonly TokenState[];
};

type NewToken = Pick<
  Token,
  'name' | 'scopes' | 'restriction' | 'maskContacts' | 'hash' | 'expiresAt'
>;
export type TokenChange = Partial<Pick<Token, 'name' | 'expiresAt'>>;
type StoredToken = Token & {
  /** Written when another admin token is revoked, so that concurrent revocations conflict. */
  readonly remainedAt?: Date;
};
type Tokens = Collection<StoredToken>;

const factsOf = (token: Token): AuditFacts => ({
  name: token.name,
  scopes: token.scopes,
  restriction: token.restriction,
  ...(token.maskContacts && { maskContacts: true }),
  expiresAt: token.expiresAt,
  revokedAt: token.revokedAt,
});

export function createTokenStore(context: Db) {
  const { connection, clock } = context;
  const tokens = collectionOf<StoredToken>(connection, collection);
  return {
    createFirst: createFirst(context),
    ...createTokenReading(tokens, clock),
    ...createTokenChanging(context),
    add: async (token: Token): Promise<void> => void (await tokens.insertOne(token)),

    async recordUse(id: string, now: Date): Promise<void> {
      const before = new Date(now.getTime() - touchEveryMs);
      const stale = { $or: [{ lastUsedAt: null }, { lastUsedAt: { $lt: before } }] };
      await tokens.updateOne({ _id: id, ...stale }, { $set: { lastUsedAt: now } });
    },
  };
}

function createFirst(context: Db) {
  const tokens = collectionOf<StoredToken>(context.connection, collection);
  const { create } = createTokenChanging(context);
  /** Creates the first token. Returns true for exactly one of all calls, also when they are concurrent. */
  return async function first(given: { name: string; hash: string }): Promise<boolean> {
    const unlimited = { scopes: ['admin'], restriction: null, expiresAt: null } as const;
    try {
      await create({ _id: firstTokenId, ...given, ...unlimited }, systemActor('first start'));
      return true;
    } catch (error) {
      ignoreDuplicate(error);
    }
    // The driver may retry the insert. The retry then fails on the row of its own first attempt.
    const stored = await tokens.findOne({ _id: firstTokenId });
    return stored?.hash === given.hash;
  };
}

const lasting = (now: Date) => ({ $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] });

function conditionOf(state: TokenState, now: Date) {
  if (state === 'revoked') return { revokedAt: { $ne: null } };
  return state === 'active'
    ? { revokedAt: null, ...lasting(now) }
    : { revokedAt: null, expiresAt: { $ne: null, $lte: now } };
}

function conditionsOf(filter: TokenFilter, now: Date) {
  const { name, search, scope, state } = filter;
  return {
    ...anyOf({ name, scopes: scope }),
    ...inDateRange('createdAt', filter),
    $and: [
      ...(search === undefined ? [] : [{ name: { $regex: escapeRegex(search), $options: 'i' } }]),
      ...(state ? [{ $or: state.map((one) => conditionOf(one, now)) }] : []),
      {},
    ],
  };
}

function createTokenReading(tokens: Tokens, clock: Clock) {
  return {
    get: (id: string): Promise<Token | null> => tokens.findOne({ _id: id }),

    /** Returns the token, also when it is revoked or expired; null when the hash is unknown. */
    findByHash: (hash: string): Promise<Token | null> => tokens.findOne({ hash }),

    list: (filter: TokenFilter, page: Page): Promise<Paged<Token>> =>
      readPage(tokens, conditionsOf(filter, clock.now()), {
        ...page,
        hint: indexOf[Object.keys(page.sort)[0] ?? ''] ?? 'by_creation',
      }),
  };
}

function createTokenChanging(context: Db) {
  const { connection, clock } = context;
  const tokens = collectionOf<StoredToken>(connection, collection);
  const audited: AuditedRecords<Token> = {
    records: tokens as unknown as Collection<Token>,
    type: 'token',
    factsOf,
  };
  const updateValid = (_id: string, set: Partial<Token>, session: Session) =>
    updateRecord(audited, { where: { _id, revokedAt: null }, update: { $set: set } }, session);

  return {
    create: async (given: NewToken & { readonly _id: string }, actor: Actor): Promise<Token> => {
      const token = { ...given, createdAt: clock.now(), revokedAt: null, lastUsedAt: null };
      return (await insertAudited(context, audited, { record: token, actor })).value;
    },

    /** Fails with `invalid_state` when the token is revoked. */
    change: (id: string, set: TokenChange, actor: Actor) =>
      changeAuditedRecord(context, audited, {
        id,
        actor,
        action: 'token.change',
        write: (session) => updateValid(id, set, session),
      }),

    /** With `keepsAdmin` it fails with `last_admin` when no other unrestricted admin token is valid. */
    revoke: (id: string, { keepsAdmin }: { readonly keepsAdmin: boolean }, actor: Actor) =>
      changeAuditedRecord<Token, Failure<'last_admin'>>(context, audited, {
        id,
        actor,
        action: 'token.revoke',
        async write(session, { revokedAt }) {
          if (revokedAt) return null;
          const now = clock.now();
          const isKept = !keepsAdmin || (await touchAnotherAdmin(tokens, { id, now, session }));
          return isKept ? updateValid(id, { revokedAt: now }, session) : failure('last_admin');
        },
      }),
  };
}

type Kept = { readonly id: string; readonly now: Date; readonly session: Session };

/** Writes to another valid admin token, so that a concurrent revocation of it conflicts. Returns false when there is none. */
async function touchAnotherAdmin(tokens: Tokens, { id, now, session }: Kept): Promise<boolean> {
  const whole = { scopes: 'admin' as const, restriction: null, revokedAt: null, ...lasting(now) };
  const { matchedCount } = await tokens.updateOne(
    { _id: { $ne: id }, ...whole },
    { $set: { remainedAt: now } },
    { session, hint: 'by_creation' },
  );
  return matchedCount === 1;
}
