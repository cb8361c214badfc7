/** From a decoded request to a recorded event, received or held. */
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { derivedIdAfter, sha256 } from '../../base/ids.ts';
import type { TraceContext } from '../../base/observability/tracing.ts';
import type { EventRecord, InboundRequest } from '../../domain/events/event.ts';
import { newEvent } from '../../domain/events/new-event.ts';
import type { CountEvent } from '../../domain/stats.ts';
import { receptionModeOf, type Webhook } from '../../domain/webhooks/webhook.ts';
import { readDedup } from '../../mapping/evaluation/dedup-keys.ts';
import type { CompiledMapping } from '../../mapping/language/compile.ts';
import type { EffectiveMappings } from './effective-mappings.ts';
import type { EventRecorder } from './recorder.ts';

export type RecordedEvent = {
  readonly mode: 'event' | 'held';
  readonly eventId: string;
  readonly duplicate: boolean;
};

/** What became of an accepted request. */
export type ReceiveResult = RecordedEvent | { readonly mode: 'sample' | 'handshake' };

/** An inbound request as it is stored, its decoded body and its webhook. */
export type DecodedRequest = {
  readonly webhook: Webhook;
  readonly request: InboundRequest;
  readonly body: unknown;
  /** Refers to the span of the request. Absent: the request is not traced. */
  readonly trace?: TraceContext | undefined;
};

type Origin = {
  readonly receivedAt: Date;
  /** The sample that becomes the event. The event's id is derived from it, so it is recorded once. */
  readonly sampleId?: string;
};

export type RecordEventDeps = {
  readonly mappings: EffectiveMappings;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
  readonly countEvent?: CountEvent;
};

/**
 * Resolves once the event is stored, or counted as a resend. Rejects with `invalid_body` for a list that the mapping does
 * not split, with `overloaded` and with `unavailable`.
 *
 * Not async, so that the decoded body is not kept in memory while the record waits to be stored.
 */
export function recordEvent(
  deps: RecordEventDeps,
  decoded: DecodedRequest,
  origin: Origin,
): Promise<RecordedEvent> {
  const { webhook } = decoded;
  const { recorder, countEvent } = deps;
  const mode = receptionModeOf(webhook.status) === 'held' ? 'held' : 'event';
  return createRecord(deps, decoded, origin)
    .then((record) => recorder.record(record, { hasOwnId: origin.sampleId !== undefined }))
    .then((recorded) => {
      countEvent?.(webhook._id, 'received');
      if (recorded.duplicate) countEvent?.(webhook._id, 'duplicates');
      else if (mode === 'held') countEvent?.(webhook._id, 'held');
      return { mode, ...recorded };
    });
}

async function createRecord(
  { mappings, clock }: RecordEventDeps,
  decoded: DecodedRequest,
  origin: Origin,
): Promise<EventRecord> {
  const effective = await mappings.of(decoded.webhook);
  if (Array.isArray(decoded.body) && !effective[0]?.splits) {
    throw new AppError('invalid_body', { internal: 'A list needs a mapping that splits.' });
  }
  return recordOf(decoded, origin, { mappings: effective, now: clock.now() });
}

function recordOf(
  { webhook, request, body, trace }: DecodedRequest,
  { receivedAt, sampleId }: Origin,
  { mappings, now }: { readonly mappings: readonly CompiledMapping[]; readonly now: Date },
): EventRecord {
  const { headers, query } = request;
  // A body that splits has no event id of its own: its items have theirs.
  const dedup = mappings[0]?.splits
    ? { externalId: null, keys: [] }
    : readDedup(mappings, { body, headers, query });
  return newEvent({
    ...(sampleId !== undefined && { _id: derivedIdAfter(sampleId, 0, 'sample') }),
    webhookId: webhook._id,
    channelId: webhook.channelId,
    externalId: dedup.externalId,
    dedupKeys: dedup.keys,
    delivery: request,
    trace,
    bodySha256: sha256(request.body),
    bodyBytes: request.body.length,
    mappingVersion: webhook.activeVersion ?? 0,
    maxAttempts: webhook.settings.retries?.maxAttempts,
    isHeld: receptionModeOf(webhook.status) === 'held',
    receivedAt,
    now,
  });
}
