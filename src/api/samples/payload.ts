/**
 * Payloads that people send to the API, decoded as a sender's request.
 *
 * Promises: a stored payload is shown as a mapping reads it.
 */
import { invalidField } from '../../base/errors.ts';
import { maskSecrets } from '../../base/observability/logger.ts';
import type { EventRecord, InboundRequest } from '../../domain/events/event.ts';
import type { Payload } from '../../domain/mappings/mapping.ts';
import { createPieceReader, piecesOf } from '../../producers/decode-thread/pieces.ts';
import { producers } from '../../producers/registry.ts';
import { decodeGiven } from '../../producers/stored-body.ts';

export const producerNames = Object.keys(producers);

/** A payload of an API request: exactly one of `body` (decoded) and `rawBody` (UTF-8 text). */
export type PayloadInput = {
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
};

/**
 * Returns the decoded payload. `path` is the JSON pointer of the payload in the request. Throws
 * `invalid_field`.
 */
export function parsePayload(given: PayloadInput, profile: string, path: string): Payload {
  const { body, rawBody, contentType, headers = {}, query = {} } = given;
  if ((body === undefined) === (rawBody === undefined)) {
    throw invalidField(path, 'field.body_or_raw');
  }
  const lowered = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (rawBody === undefined) return { body, headers: lowered, query };
  const decoded = decodeGiven({ contentType, body: Buffer.from(rawBody) }, profile);
  if (!decoded.ok) throw invalidField(`${path}/rawBody`, decoded.message);
  return { body: decoded.value, headers: lowered, query };
}

/** A payload on its way to another thread: a structured clone would give its objects prototypes, which expressions then read. */
export type SentPayload = Omit<PayloadInput, 'body'> & {
  readonly pieces?: readonly Uint8Array[];
};

export const sendPayload = ({ body, ...given }: PayloadInput): SentPayload => ({
  ...given,
  ...(body !== undefined && { pieces: piecesOf(body) }),
});

/** As `parsePayload`. */
export function receivePayload(
  { pieces, ...given }: SentPayload,
  profile: string,
  path: string,
): Payload {
  if (!pieces) return parsePayload(given, profile, path);
  const reader = createPieceReader();
  pieces.forEach(reader.add);
  return parsePayload({ ...given, body: reader.value() }, profile, path);
}

/** A stored request on its way back: the clone of a Buffer is an Uint8Array. */
export const receiveRequest = ({ body, ...request }: InboundRequest): InboundRequest => ({
  ...request,
  body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
});

/** Converts the payload to an inbound request as a sender would send it. Throws `invalid_field`. */
export function inboundRequestFrom(
  given: PayloadInput,
  profile: string,
  path: string,
): InboundRequest {
  const { headers, query } = parsePayload(given, profile, path);
  const { body, rawBody, contentType } = given;
  const text = rawBody ?? JSON.stringify(body);
  return {
    body: Buffer.from(maskSecrets(text)),
    contentType: contentType ?? (rawBody === undefined ? 'application/json' : ''),
    headers: withoutKeys(headers),
    query: withoutKeys(query),
  };
}

type EventDeps = { readonly events: { get(id: string): Promise<EventRecord | null> } };

/** Returns the event that has the body; of an item that is its parent. Throws `invalid_field` at `/eventId`. */
export async function readWithBody({ events }: EventDeps, webhookId: string, eventId: string) {
  const event = await events.get(eventId);
  if (event?.webhookId !== webhookId) throw invalidField('/eventId', 'field.other_event');
  const holder = event.parentId === null ? event : await events.get(event.parentId);
  if (!holder?.delivery) throw invalidField('/eventId', 'field.event_without_body');
  return { ...holder, delivery: holder.delivery };
}

/** Returns the request of such an event. Throws as `readWithBody`. */
export async function readStoredRequest(
  ...asked: Parameters<typeof readWithBody>
): Promise<InboundRequest> {
  const { delivery } = await readWithBody(...asked);
  // MongoDB may return its own binary type.
  return { ...delivery, body: Buffer.from(delivery.body) };
}

/** Removes path keys and tokens that a person pasted. */
const withoutKeys = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [maskSecrets(name), maskSecrets(value)]),
  );
