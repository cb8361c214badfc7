/**
 * Idempotency-Key: repeated requests are executed once.
 *
 * Promises: for one token and one key the request is executed once and answered identically for a day, even
 * when sent concurrently. The stored response can only be opened with token and key, and neither is stored, so
 * a path key or token in a response is not readable in the database. What is stored is bounded: of a large answer, or of one
 * beyond the quota of its token, a short one is stored instead.
 * Limit: if a process dies between the change and storing its response, or the database does not report the
 * result of the change, the key is locked for one minute. After that a repetition executes the request again.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import type { Logger } from '../../base/observability/logger.ts';
import { AppError, invalidField } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { createTokenBucket, type Rate } from '../../base/rate-limit/token-bucket.ts';
import { createVault } from '../../base/secrets/vault.ts';
import { isRolledBack } from '../../store/db/errors.ts';
import {
  idempotencyHeader,
  type Attempt,
  type IdempotentRequest,
  type IdempotentResult,
  type IdempotentWork,
} from '../../http/requests/idempotency.ts';
import {
  claimAttempt,
  isAttemptAnswered,
  releaseAttempt,
  renewAttempt,
  saveAttemptAnswer,
} from '../../store/access/idempotency.ts';
import type { Db } from '../../store/db/connection.ts';

/** Most requests finish within this time. */
const retryAfterMs = 2_000;
/** A third of the lease. */
const renewMs = 20_000;
const maxAnswerBytes = 262_144;
/** Answers up to this size do not count: the requests of a token are limited, or make a record of their size. */
const smallAnswerBytes = 4_096;
const unitBytes = 1_024;
/** A token may store 16 MiB of larger answers at once, and then 16 MiB a day, the time that they are kept. */
const answerRate: Rate = { burst: 16_384, everyMs: (24 * 3_600_000) / 16_384 };
const maxTokens = 10_000;

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

const keyReused = () => invalidField(idempotencyHeader, 'field.key_reused');

/**
 * Whether it is certain that nothing was changed: the request was rejected, or its transaction was rolled back.
 * After a timeout of the database or an unexpected error the change may have been made.
 */
function isNothingChanged(error: unknown): boolean {
  if (!(error instanceof AppError) || error.kind === 'internal') return false;
  return error.kind !== 'unavailable' || error.cause === undefined || isRolledBack(error.cause);
}

/** Returns the function that begins a request with a key. It keeps what the answers of each token take. */
export function createIdempotency(ctx: Db & { readonly logger: Logger }): Attempt {
  const { logger, clock } = ctx;
  const stored = createTokenBucket({ max: maxTokens, nowMs: () => clock.elapsedMs() });

  /** Whether the answer is stored as it is, which is charged to the token. */
  function takesQuota(tokenId: string, bytes: number): boolean {
    if (bytes <= smallAnswerBytes) return true;
    if (bytes > maxAnswerBytes || stored.waitMs(tokenId, answerRate, 1) > 0) return false;
    stored.charge(tokenId, answerRate, Math.ceil(bytes / unitBytes));
    return true;
  }

  return async function attempt({ secret, key, tokenId }): Promise<IdempotentRequest> {
    const secrets = deriveSecrets(secret, key);
    const { id } = secrets;

    /** Stores the response. A failure is logged; the response is still sent. */
    async function keep<Answer>(
      claim: Parameters<typeof saveAttemptAnswer>[1],
      answer: Answer,
      shorten: IdempotentWork<Answer>['shorten'],
    ): Promise<void> {
      const seal = (one: Answer) => Buffer.from(secrets.vault.seal(JSON.stringify(one), id));
      try {
        const whole = seal(answer);
        const kept = takesQuota(tokenId, whole.length) ? whole : seal(shorten(answer));
        await saveAttemptAnswer(ctx, claim, kept);
      } catch (err) {
        logger.warn({ err }, 'idempotency.not_saved');
      }
    }

    return {
      isAnswered: await isAttemptAnswered(ctx, id),

      async once<Answer>(
        asked: string,
        { execute, shorten }: IdempotentWork<Answer>,
      ): Promise<IdempotentResult<Answer>> {
        const fingerprint = createHmac('sha256', secrets.hashKey).update(asked).digest('hex');
        const claim = { id, fingerprint, owner: newId() };
        const found = await claimAttempt(ctx, claim);
        if (found.fingerprint !== fingerprint) throw keyReused();
        if (found.answer) {
          const opened = secrets.vault.open(found.answer.toString(), id);
          return { answer: JSON.parse(opened) as Answer, isRepeated: true };
        }
        if (found.owner !== claim.owner) throw new AppError('conflict', { retryAfterMs });
        const renewal = setInterval(
          () => void renewAttempt(ctx, claim).catch(() => undefined),
          renewMs,
        );
        renewal.unref();
        try {
          const answer = await execute();
          await keep(claim, answer, shorten);
          return { answer, isRepeated: false };
        } catch (error) {
          if (isNothingChanged(error)) await releaseAttempt(ctx, claim).catch(() => undefined);
          throw error;
        } finally {
          clearInterval(renewal);
        }
      },
    };
  };
}
