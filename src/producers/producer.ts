/**
 * The port that a kind of sender fills: how its bodies are read, how it is recognised, and what it expects.
 *
 * Everything in it is pure and synchronous. A producer may leave out whatever it does not have; what is the same for many
 * (signatures, challenges) it names or describes, and one place does it.
 */
import type { Localized } from '../base/errors.ts';
import type { MappingDocument, Payload, Source } from '../domain/mappings/mapping.ts';
import type { ChallengeSettings } from '../domain/webhooks/verification-settings.ts';
import type { Answer, HandshakeRequest } from './handshake/handshake.ts';
import type { SignaturePreset } from './signature/presets.ts';

export interface RawBody {
  contentType: string | undefined;
  body: Buffer;
}

export type DecodeCode = 'malformed_json' | 'invalid_body' | 'unsupported_media_type';

export type Decoded =
  { ok: true; value: unknown } | { ok: false; code: DecodeCode; message: string };

/** How the bodies of a kind of sender are read. */
export interface BodyDecoder {
  /** Whether a body of this content type can be read at all; to be asked before the body is read. */
  acceptsContentType(this: void, contentType: string | undefined): boolean;
  /** Never throws; the same body always gives the same value. */
  decodeBody(this: void, raw: RawBody): Decoded;
}

/** What Inlet must know of a kind of sender to read what it sends. */
export interface Producer extends BodyDecoder {
  /** As a webhook's `producerProfile` has it. */
  readonly name: string;
  readonly title: string;
  /** What it sends, in a sentence. */
  readonly delivers: Localized;
  /** What a person does in the producer's own settings. */
  readonly instructions: Localized;
  /** How sure it is, 0 to 1, that this came from here: by names of headers and members, never by their values alone. */
  detect?(this: void, payload: Payload): number;
  /** How it signs; verified once a secret is set. */
  readonly signature?: SignaturePreset;
  /** The challenge that it sends and what it wants back. */
  readonly challenge?: ChallengeSettings;
  /** What a challenge cannot say, such as a bare GET that must be 200. */
  handshake?(this: void, request: HandshakeRequest): Answer | null;
  /** A delivery that somebody sent to try the URL: kept as a sample, and nothing else. */
  isPing?(this: void, payload: Payload): boolean;
  /** What makes two deliveries the same event; the starter mapping uses it. */
  readonly eventId?: Source;
  /** Reads what the producer sends by itself; a person adds what is their own. */
  readonly starterMapping: MappingDocument;
  /** What an accepted delivery is answered instead of the envelope. */
  readonly answer?: Answer;
}
