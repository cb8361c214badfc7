/**
 * Requests that may be sent again without being done again, under a key that the client chooses.
 *
 * Promises: under one token and one key a thing is done once and answered alike for a day, however many ask at once. What
 * is kept opens only for who has both: they are the key to it, and neither is stored. A path key or a token that an answer
 * shows once is therefore in no dump of the database.
 * Cannot promise: once, where a process dies between the change and keeping its answer, or where nobody knows whether the
 * database did it. The key is in hand for a minute then, in which whoever comes back is told to wait; after it, it may be
 * tried again, and a creation may be there twice.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { IdempotencyStore } from '../store/access/idempotency.ts';
import { isRolledBack } from '../store/db/model.ts';

export type IdempotencyDeps = {
  readonly idempotency: IdempotencyStore;
  readonly logger: Logger;
};

export type IdempotentRequest = {
  /** Whether it was answered before: then nothing but the answer is asked for. */
  readonly isAnswered: boolean;
  /**
   * Does the work, or gives what it gave before. `asked` is all that was asked for. What `work` rejects with is not kept;
   * the key is free at once only where nothing can have happened.
   * Throws `invalid_field` where something else was asked for under this key, `conflict` while it is in hand.
   */
  once<Answer>(asked: string, work: () => Promise<Answer>): Promise<IdempotentResult<Answer>>;
};

export type IdempotentResult<Answer> = { readonly answer: Answer; readonly isRepeated: boolean };

export const idempotencyHeader = 'Idempotency-Key';

/** What is in hand is mostly done in a moment. */
const retryAfterMs = 2_000;
/** A document of the database is 16 MiB at most; no change answers so much. */
const maxAnswerBytes = 8_388_608;

/** Three secrets out of two, so that none of them tells of another. */
function derive(token: string, key: string) {
  const secret = `${token.length}:${token}${key}`;
  const bytes = Buffer.from(hkdfSync('sha256', secret, 'inlet', 'idempotency', 80));
  return {
    id: bytes.subarray(0, 16).toString('hex'),
    marking: bytes.subarray(16, 48),
    sealing: bytes.subarray(48, 80),
  };
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

type Sealing = { readonly id: string; readonly sealing: Buffer };

function seal(answer: unknown, { id, sealing }: Sealing): Buffer {
  const nonce = randomBytes(nonceBytes);
  const sealer = createCipheriv(cipher, sealing, nonce).setAAD(Buffer.from(id));
  const body = Buffer.concat([sealer.update(JSON.stringify(answer)), sealer.final()]);
  return Buffer.concat([nonce, sealer.getAuthTag(), body]);
}

function open(sealed: Buffer, { id, sealing }: Sealing): unknown {
  const body = sealed.subarray(nonceBytes + tagBytes);
  const opener = createDecipheriv(cipher, sealing, sealed.subarray(0, nonceBytes))
    .setAAD(Buffer.from(id))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  return JSON.parse(Buffer.concat([opener.update(body), opener.final()]).toString());
}

const usedOtherwise = () =>
  new AppError('invalid_field', {
    details: { fields: [{ path: idempotencyHeader, message: 'was used for another request' }] },
  });

/**
 * Whether nothing came of it for certain: it was refused, or its transaction was given up before it was committed. A
 * database that did not answer, and an error that nobody foresaw, may have come after the change.
 */
function isUndone(error: unknown): boolean {
  if (!(error instanceof AppError) || error.kind === 'internal') return false;
  return error.kind !== 'unavailable' || error.cause === undefined || isRolledBack(error.cause);
}

export function createIdempotency({ idempotency: store, logger }: IdempotencyDeps) {
  return async function attempt(token: string, key: string): Promise<IdempotentRequest> {
    const secrets = derive(token, key);
    const { id } = secrets;

    /** The work is done: what cannot be kept is answered all the same, once. */
    async function keep(claim: Parameters<typeof store.keep>[0], answer: unknown): Promise<void> {
      try {
        const sealed = seal(answer, secrets);
        if (sealed.length > maxAnswerBytes) throw new RangeError('The answer is too large.');
        await store.keep(claim, sealed);
      } catch (err) {
        logger.warn({ err }, 'idempotency.not_saved');
      }
    }

    return {
      isAnswered: await store.isAnswered(id),

      async once<Answer>(
        asked: string,
        work: () => Promise<Answer>,
      ): Promise<IdempotentResult<Answer>> {
        const fingerprint = createHmac('sha256', secrets.marking).update(asked).digest('hex');
        const claim = { id, fingerprint, owner: newId() };
        const found = await store.claim(claim);
        if (found.fingerprint !== fingerprint) throw usedOtherwise();
        if (found.answer) {
          return { answer: open(found.answer, secrets) as Answer, isRepeated: true };
        }
        if (found.owner !== claim.owner) throw new AppError('conflict', { retryAfterMs });
        try {
          const answer = await work();
          await keep(claim, answer);
          return { answer, isRepeated: false };
        } catch (error) {
          if (isUndone(error)) await store.release(claim).catch(() => undefined);
          throw error;
        }
      },
    };
  };
}
