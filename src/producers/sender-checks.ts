/** Verifies signatures and answers handshakes, by the settings of a webhook first and by its producer otherwise. Pure. */
import type {
  AnswerSettings,
  HandshakeSettings,
  SignatureScheme,
  SignatureSettings,
} from '../domain/webhooks/verification-settings.ts';
import {
  answerChallenge,
  configuredChallenge,
  type Answer,
  type HandshakeRequest,
} from './handshake/handshake.ts';
import type { Producer } from './producer.ts';
import { signaturePreset } from './signature/presets.ts';
import { verifySignature, type VerificationResult } from './signature/verify.ts';
import type { SignedRequest } from './signature/signed-content.ts';

type SenderSettings = {
  readonly signature?: SignatureSettings;
  readonly handshake?: HandshakeSettings;
  readonly answer?: AnswerSettings;
};

/** Returns how requests are signed; null when neither the settings nor the producer name a known scheme. */
export function schemeOf(producer: Producer, settings: SenderSettings): SignatureScheme | null {
  const scheme = settings.signature?.scheme ?? producer.signature;
  if (scheme === undefined) return null;
  return typeof scheme === 'string' ? signaturePreset(scheme) : scheme;
}

/** Whether verifying a request reads the fields of its body. */
export function verifiesFields(producer: Producer, settings: SenderSettings): boolean {
  const scheme = settings.signature ? schemeOf(producer, settings) : null;
  return scheme?.kind === 'fields' || (scheme?.kind === 'token' && 'field' in scheme.from);
}

/** Without a `signature` setting every request passes. With one, a request that cannot be verified fails. */
export function verifyRequest(
  producer: Producer,
  settings: SenderSettings,
  { request, now }: { request: SignedRequest; now: Date },
): VerificationResult {
  const { signature } = settings;
  if (!signature) return { ok: true };
  const scheme = schemeOf(producer, settings);
  if (scheme === null) return { ok: false, reason: 'no_scheme' };
  return verifySignature(request, { ...signature, scheme }, now);
}

/** Returns the answer to a handshake; null for any other request. */
export function answerHandshake(
  producer: Producer,
  settings: SenderSettings,
  received: Omit<HandshakeRequest, 'settings' | 'secrets'>,
): Answer | null {
  const { handshake = {}, signature } = settings;
  const request = { ...received, settings: handshake, secrets: signature?.secrets ?? [] };
  for (const challenge of [configuredChallenge(handshake), producer.challenge ?? null]) {
    const answer = challenge && answerChallenge(request, challenge);
    if (answer) return answer;
  }
  return producer.handshake?.(request) ?? null;
}

/** Returns the answer to an accepted request; null for the envelope. */
export const configuredAnswer = (producer: Producer, settings: SenderSettings): Answer | null =>
  settings.answer ?? producer.answer ?? null;
