/** Describes the producers for the API. */
import type { Localized } from '../base/errors.ts';
import type { MappingDocument, Source } from '../domain/mappings/mapping.ts';
import {
  answerSettings,
  handshakeSettings,
  signatureSettings,
  type AnswerSettings,
  type ChallengeSettings,
  type SignatureScheme,
} from '../domain/webhooks/verification-settings.ts';
import { challengePresets } from './handshake/presets.ts';
import type { Producer } from './producer.ts';
import { producers } from './registry.ts';
import { signaturePreset, signaturePresets } from './signature/presets.ts';

type ProducerDescription = {
  readonly name: string;
  readonly title: string;
  readonly delivers: Localized;
  readonly instructions: Localized;
  /** The preset by which it signs; null when it does not sign. */
  readonly signature: { readonly preset: string; readonly scheme: SignatureScheme } | null;
  /** Whether it sends a handshake. */
  readonly handshake: boolean;
  readonly challenge: ChallengeSettings | null;
  readonly answer: AnswerSettings | null;
  readonly eventId: Source | null;
  readonly starterMapping: MappingDocument;
};

export const describeProducers = (): ProducerDescription[] =>
  Object.values<Producer>(producers).map(describe);

function describe(producer: Producer): ProducerDescription {
  const { name, title, delivers, instructions, starterMapping, signature } = producer;
  const scheme = signature && signaturePreset(signature);
  return {
    name,
    title,
    delivers,
    instructions,
    signature: signature && scheme ? { preset: signature, scheme } : null,
    handshake: producer.challenge !== undefined || producer.handshake !== undefined,
    challenge: producer.challenge ?? null,
    answer: producer.answer ?? null,
    eventId: producer.eventId ?? null,
    starterMapping,
  };
}

/** Returns the JSON Schema of a webhook's sender settings, and the presets that they may name. */
export const describeSenderSettings = () => ({
  schema: {
    type: 'object',
    properties: {
      signature: signatureSettings,
      handshake: handshakeSettings,
      answer: answerSettings,
    },
    additionalProperties: false,
  },
  signatures: signaturePresets,
  challenges: challengePresets,
});
