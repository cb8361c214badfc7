import type { Decoded, DecodeCode } from '../producer.ts';
import type { Hardened } from './harden.ts';

export type DecodeFailure = Extract<Decoded, { ok: false }>;

export const decodeFailure = (code: DecodeCode, message: string): DecodeFailure => ({
  ok: false,
  code,
  message,
});

export const unsupportedType = (): DecodeFailure =>
  decodeFailure('unsupported_media_type', 'The content type is not supported.');

const messages = {
  too_many: 'The body has too many keys and elements.',
  too_long: 'A key or a text of the body is too long.',
};

export const outOfBounds = (bound: Exclude<Hardened, 'ok' | 'unsafe'>): DecodeFailure =>
  decodeFailure('invalid_body', messages[bound]);
