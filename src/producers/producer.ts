/**
 * The port of producers: how a kind of sender is detected, how its bodies are decoded, and what it expects.
 *
 * Everything in it is pure and synchronous. Optional members are left out. Signatures and challenges are data: a producer
 * names or describes them, and this module verifies and answers them.
 */
import type { MappingDocument, Payload } from '../domain/mappings/mapping.ts';
import type { ChallengeSettings } from '../domain/webhooks/verification-settings.ts';
import type { Answer, HandshakeRequest } from './handshake/handshake.ts';
import type { SignaturePreset } from './signature/presets.ts';
import type { PublicText, Localized } from '../base/texts/texts.ts';

export interface RawBody {
  contentType: string | undefined;
  body: Buffer;
}

export type DecodeCode = 'malformed_json' | 'invalid_body' | 'unsupported_media_type';

export type Decoded =
  | { ok: true; value: unknown }
  | { ok: false; code: DecodeCode; message: PublicText };

/** Decodes the bodies of a kind of sender. */
export interface BodyDecoder {
  /** Returns whether a body of this content type can be decoded. Called before the body is read. */
  acceptsContentType(this: void, contentType: string | undefined): boolean;
  /** Never throws. The same body always gives the same value. */
  decodeBody(this: void, raw: RawBody): Decoded;
}

/** A supported kind of sender. */
export interface Producer extends BodyDecoder {
  /** The value of a webhook's `producerProfile`. */
  readonly name: string;
  readonly title: string;
  /** What it sends, in one sentence. */
  readonly delivers: Localized;
  /** What a person does in the producer's own settings. */
  readonly instructions: Localized;
  /** Returns the confidence, 0 to 1, that this producer sent the payload: by names of headers and members, never by values alone. */
  detect?(this: void, payload: Payload): number;
  /** How it signs. Requests are verified once the webhook has a secret. */
  readonly signature?: SignaturePreset;
  /** The challenge that it sends, and the answer that it expects. */
  readonly challenge?: ChallengeSettings;
  /** Answers handshakes that `challenge` cannot describe, such as a bare GET that expects 200. */
  handshake?(this: void, request: HandshakeRequest): Answer | null;
  /** Returns whether a person sent the request to test the URL. It is stored as a sample only. */
  isPing?(this: void, payload: Payload): boolean;
  /** A mapping of the producer's standard fields, its event id included. A person adds their own fields. */
  readonly starterMapping: MappingDocument;
  /** Whether its first event of a person has only the id, and the fields come one by one: see `allowEmptyPerson` of a webhook. */
  readonly sendsFieldsApart?: boolean;
  /** The answer to an accepted request, instead of the envelope. */
  readonly answer?: Answer;
}
