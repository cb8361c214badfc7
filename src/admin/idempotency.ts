/**
 * Idempotency-Key: repeated requests are executed once.
 *
 * Promises: for one token and one key the request is executed once and answered identically for a day, even
 * when sent concurrently. The stored response can only be opened with token and key, and neither is stored, so
 * a path key or token in a response is not readable in the database.
 * Limit: if a process dies between the change and storing its response, or the database does not report the
 * result of the change, the key is locked for one minute. After that a repetition executes the request again.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { AppError, invalidField } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { createVault } from '../base/secrets/vault.ts';
import { isRolledBack } from '../store/db/errors.ts';
import type { AdminDeps } from './dependencies.ts';

type IdempotencyDeps = Pick<AdminDeps, 'idempotency' | 'logger'>;

export type IdempotentRequest = {
  readonly isAnswered: boolean;
  /**
   * Executes `work`, or returns the stored response. `asked` is the whole request. A failure of `work` is not
   * stored; the key is released at once only if nothing was changed.
   * Throws `invalid_field` if the key was used for another request, `conflict` while the first request is in
   * progress.
   */
  once<Answer>(asked: string, work: () => Promise<Answer>): Promise<IdempotentResult<Answer>>;
};

type IdempotentResult<Answer> = { readonly answer: Answer; readonly isRepeated: boolean };

export const idempotencyHeader = 'Idempotency-Key';

/** Most requests finish within this time. */
const retryAfterMs = 2_000;
/** A third of the lease. */
const renewMs = 20_000;
/** A MongoDB document is at most 16 MiB. */
const maxAnswerBytes = 8_388_608;

/** Derives from token and key: the record's id, the key of the request's hash, and a vault for the response. */
function deriveSecrets(token: string, key: string) {
  const secret = `${token.length}:${token}${key}`;
  const bytes = Buffer.from(hkdfSync('sha256', secret, 'inlet', 'idempotency', 80));
  return {
    id: bytes.subarray(0, 16).toString('hex'),
    hashKey: bytes.subarray(16, 48),
    vault: createVault([bytes.subarray(48, 80).toString('base64')]),
  };
}

const keyReused = () => invalidField(idempotencyHeader, 'was used for another request');

/**
 * Whether it is certain that nothing was changed: the request was rejected, or its transaction was rolled back.
 * After a timeout of the database or an unexpected error the change may have been made.
 */
function isNothingChanged(error: unknown): boolean {
  if (!(error instanceof AppError) || error.kind === 'internal') return false;
  return error.kind !== 'unavailable' || error.cause === undefined || isRolledBack(error.cause);
}

export function createIdempotency({ idempotency: store, logger }: IdempotencyDeps) {
  return async function attempt(token: string, key: string): Promise<IdempotentRequest> {
    const secrets = deriveSecrets(token, key);
    const { id } = secrets;

    /** Stores the response. A failure is logged; the response is still sent. */
    async function keep(
      claim: Parameters<typeof store.saveAnswer>[0],
      answer: unknown,
    ): Promise<void> {
      try {
        const sealed = Buffer.from(secrets.vault.seal(JSON.stringify(answer), id));
        if (sealed.length > maxAnswerBytes) throw new RangeError('The answer is too large.');
        await store.saveAnswer(claim, sealed);
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
        const fingerprint = createHmac('sha256', secrets.hashKey).update(asked).digest('hex');
        const claim = { id, fingerprint, owner: newId() };
        const found = await store.claim(claim);
        if (found.fingerprint !== fingerprint) throw keyReused();
        if (found.answer) {
          const stored = secrets.vault.open(found.answer.toString(), id);
          return { answer: JSON.parse(stored) as Answer, isRepeated: true };
        }
        if (found.owner !== claim.owner) throw new AppError('conflict', { retryAfterMs });
        const renewal = setInterval(() => void store.renew(claim).catch(() => undefined), renewMs);
        renewal.unref();
        try {
          const answer = await work();
          await keep(claim, answer);
          return { answer, isRepeated: false };
        } catch (error) {
          if (isNothingChanged(error)) await store.release(claim).catch(() => undefined);
          throw error;
        } finally {
          clearInterval(renewal);
        }
      },
    };
  };
}
