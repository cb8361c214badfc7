/**
 * What a receiver asks of a producer and a webhook's settings together: is this signed, is this a handshake, how is it
 * answered. Pure.
 */
import type {
  AnswerSettings,
  HandshakeSettings,
  SignatureScheme,
  SignatureSettings,
} from '../domain/webhooks/verification-settings.ts';
import { answerChallenge, configuredChallenge } from './handshake/handshake.ts';
import type { Answer, HandshakeRequest } from './handshake/handshake.ts';
import type { Producer } from './producer.ts';
import { signaturePreset } from './signature/presets.ts';
import type { SignedRequest } from './signature/signed-request.ts';
import { verifySignature } from './signature/verify.ts';
import type { VerificationResult } from './signature/verify.ts';

export type SenderSettings = {
  readonly signature?: SignatureSettings;
  readonly handshake?: HandshakeSettings;
  readonly answer?: AnswerSettings;
};

/** How requests are signed; null where neither the settings nor the producer say it, or where they name nothing. */
export function schemeOf(producer: Producer, settings: SenderSettings): SignatureScheme | null {
  const scheme = settings.signature?.scheme ?? producer.signature;
  if (scheme === undefined) return null;
  return typeof scheme === 'string' ? signaturePreset(scheme) : scheme;
}

/** Without a secret nothing is verified; with one, a request that cannot be verified is refused. */
export function verifyRequest(
  producer: Producer,
  settings: SenderSettings,
  { request, now }: { request: SignedRequest; now: Date },
): VerificationResult {
  const { signature } = settings;
  if (!signature || signature.secrets.length === 0) return { ok: true };
  const scheme = schemeOf(producer, settings);
  if (scheme === null) return { ok: false, reason: 'no_scheme' };
  return verifySignature(request, { ...signature, scheme }, now);
}

/** The answer to a handshake; null where the request is an ordinary delivery, or nothing that is answered at all. */
export function answerHandshake(
  producer: Producer,
  settings: SenderSettings,
  given: Omit<HandshakeRequest, 'settings' | 'secrets'>,
): Answer | null {
  const { handshake = {}, signature } = settings;
  const request = { ...given, settings: handshake, secrets: signature?.secrets ?? [] };
  for (const challenge of [configuredChallenge(handshake), producer.challenge ?? null]) {
    const answer = challenge && answerChallenge(request, challenge);
    if (answer) return answer;
  }
  return producer.handshake?.(request) ?? null;
}

/** What an accepted delivery is answered; null for the envelope. */
export const configuredAnswer = (producer: Producer, settings: SenderSettings): Answer | null =>
  settings.answer ?? producer.answer ?? null;
