/**
 * The error codes of the WhatsApp Cloud API and what each means for a delivery, from
 * https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes. docs/errors.md is generated
 * from these.
 */
import type { Reason } from '../../domain/events/actions.ts';
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts';
import {
  hidesResult,
  rejected,
  retryLater,
  treatmentOfStatus,
  type Treatment as StatusTreatment,
} from '../outcomes.ts';

/** `recipient_rate`: only the message waits. `window`: a template is needed. */
type Treatment = StatusTreatment | 'recipient_rate' | 'window';

type CodeRange = {
  readonly from: number;
  readonly to?: number;
  readonly treatment: Treatment;
  /** For a rate: how long nothing is sent. */
  readonly waitSeconds?: number;
};

const all = (treatment: Treatment, codes: readonly number[]): CodeRange[] =>
  codes.map((from) => ({ from, treatment }));

export const codeRanges: readonly CodeRange[] = [
  ...all('channel', [0, 3, 10, 33, 190]),
  { from: 200, to: 299, treatment: 'channel' },
  ...all('channel', [368, 131005, 131031, 131037, 131042, 131045, 131057]),
  { from: 133000, treatment: 'channel' },
  { from: 133004, treatment: 'service' },
  { from: 133005, to: 133010, treatment: 'channel' },
  ...all('channel', [133015, 134011]),
  ...all('service', [1, 2, 131000, 131016]),
  { from: 4, treatment: 'rate', waitSeconds: 300 },
  { from: 80007, treatment: 'rate', waitSeconds: 300 },
  { from: 130429, treatment: 'rate', waitSeconds: 5 },
  { from: 131048, treatment: 'rate', waitSeconds: 900 },
  { from: 133016, treatment: 'rate', waitSeconds: 900 },
  { from: 131056, treatment: 'recipient_rate', waitSeconds: 60 },
  { from: 132069, treatment: 'recipient_rate', waitSeconds: 60 },
  { from: 131047, treatment: 'window' },
  ...all('message', [100, 130472, 130497]),
  ...all('message', [131008, 131009, 131021, 131026, 131030, 131049, 131050, 131051, 131052]),
  ...all('message', [131053, 132000, 132001, 132005, 132007, 132012, 132015, 132016, 132068]),
  ...all('message', [135000]),
];

type ApiError = {
  readonly code: number | null;
  /** 33 with code 100: the id of the phone number is wrong, or the token has no access to it. */
  readonly subcode?: number | null;
  readonly status: number;
  readonly retryAfterMs?: number | undefined;
};

const channelStatuses = new Set([401, 403, 404, 405]);

export const isWindowCode = (code: number): boolean =>
  codeRanges.some(({ from, treatment }) => from === code && treatment === 'window');

/** A code that is not in the table is treated by the status of the answer. */
function treatmentOf({ code, subcode, status }: ApiError): Omit<CodeRange, 'from'> {
  if (code === 100 && subcode === 33) return { treatment: 'channel' };
  const known = codeRanges.find(
    ({ from, to = from }) => code !== null && code >= from && code <= to,
  );
  return known ?? { treatment: treatmentOfStatus(status, channelStatuses) };
}

/** WhatsApp accepts nothing when the contact has not written for 24 hours, except a template. */
export const windowClosed: DeliveryOutcome = {
  kind: 'dead',
  reason: 'window_closed' satisfies Reason,
  scope: 'message',
};

/** An error with a code is a definite answer of WhatsApp: the message was not accepted. One of a gateway has none. */
export function outcomeOfError(error: ApiError): DeliveryOutcome {
  const { treatment, waitSeconds = 0 } = treatmentOf(error);
  const detail = error.code ?? error.status;
  const isUnknown = error.code === null && hidesResult(error.status);
  const retryAfterMs = error.retryAfterMs ?? (waitSeconds === 0 ? undefined : waitSeconds * 1_000);
  switch (treatment) {
    case 'window':
      return windowClosed;
    case 'message':
      return rejected(detail);
    case 'rate':
      return retryLater(detail, { scope: 'rate', retryAfterMs });
    case 'recipient_rate':
      return retryLater(detail, { scope: 'message', retryAfterMs });
    case 'channel':
    case 'service':
      return retryLater(detail, { scope: 'channel', retryAfterMs, isUnknown });
  }
}
