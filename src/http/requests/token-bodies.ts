/**
 * The bodies of the administration and the inbox APIs. Each token has a share of their bytes and places, of files a share
 * and a quota of its own.
 *
 * Promises: a token takes nothing that others need to find room, and holds what it has taken until its request has been
 * handled. An upload below the pace ends with `request_timeout`, beyond the share with `overloaded`. Files beyond the quota
 * are rejected with `rate_limited`, before they are read.
 */
import type { Request } from 'express';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { createTokenBucket, type Rate } from '../../base/rate-limit/token-bucket.ts';
import { createAdmission, type Admission, type AdmissionSlot } from './admission.ts';
import { readRawBody, uploadPace, type Pace } from './raw-body.ts';

export type ReadBody = (request: Request, maxBytes: number) => Promise<Buffer>;

/** The body of one request. */
export type TokenBody = {
  readonly read: ReadBody;
  /** Reads a body with files, within the limit of such a body. */
  readonly readFiles: (request: Request) => Promise<Buffer>;
  /** Gives back the share. Called once the request has been handled. */
  readonly release: () => void;
};

export type TokenBodies = { readonly open: (tokenId: string) => TokenBody };

type BodyLimits = Parameters<typeof createAdmission>[0];

type BodiesDeps = {
  /** Of a request with files. */
  readonly maxMediaBytes: number;
  readonly clock: Clock;
  readonly pace?: Pace;
  readonly limits?: BodyLimits;
  /** In KiB. */
  readonly fileQuota?: Rate;
};

/** 32 of the largest bodies, which take several times as much once they are decoded. */
const plainLimits: BodyLimits = { maxInFlight: 400, maxPendingBytes: 33_554_432 };
/** Places of requests with files. Four of the largest ones fill the memory for them. */
const maxFileRequests = 40;
const largestAtOnce = 4;

/** A token may upload 1 GiB of files at once, and then 20 MiB a minute. */
const unitBytes = 1_024;
const fileRate: Rate = { burst: 1_048_576, everyMs: 60_000 / 20_480 };
const maxTokens = 10_000;

export function createTokenBodies({
  maxMediaBytes,
  clock,
  pace = uploadPace,
  limits = plainLimits,
  fileQuota = fileRate,
}: BodiesDeps): TokenBodies {
  const plain = createAdmission(limits);
  const withFiles = createAdmission({
    maxInFlight: maxFileRequests,
    maxPendingBytes: largestAtOnce * maxMediaBytes,
  });
  const uploaded = createTokenBucket({ max: maxTokens, nowMs: () => clock.elapsedMs() });

  function open(tokenId: string): TokenBody {
    let slot: AdmissionSlot | undefined;

    function readWithin(admission: Admission, request: Request, maxBytes: number) {
      slot = admission.acquire(tokenId);
      return readRawBody(request, { maxBytes, reservation: slot, pace });
    }

    return {
      read: (request, maxBytes) => readWithin(plain, request, maxBytes),
      async readFiles(request) {
        const retryAfterMs = uploaded.waitMs(tokenId, fileQuota, 1);
        if (retryAfterMs > 0) throw new AppError('rate_limited', { retryAfterMs });
        const body = await readWithin(withFiles, request, maxMediaBytes);
        uploaded.charge(tokenId, fileQuota, Math.ceil(body.length / unitBytes));
        return body;
      },
      release() {
        slot?.release();
        slot = undefined;
      },
    };
  }

  return { open };
}
