import type { Decoded, DecodeCode } from '../producer.ts';
import type { Hardened } from './harden.ts';

export type Refused = Extract<Decoded, { ok: false }>;

export const refuse = (code: DecodeCode, message: string): Refused => ({
  ok: false,
  code,
  message,
});

export const refuseType = (): Refused =>
  refuse('unsupported_media_type', 'The content type is not supported.');

const messages = {
  too_many: 'The body has too many keys and elements.',
  too_long: 'A key or a text of the body is too long.',
};

export const outOfBounds = (bound: Exclude<Hardened, 'ok' | 'unsafe'>): Refused =>
  refuse('invalid_body', messages[bound]);
