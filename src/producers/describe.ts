/** Describes the producers for the API. */
import {
  answerSettings,
  handshakeSettings,
  signatureSettings,
  type SignatureScheme,
} from '../domain/webhooks/verification-settings.ts';
import { challengePresets } from './handshake/presets.ts';
import type { Producer } from './producer.ts';
import { producers } from './registry.ts';
import { samples } from './samples/samples.ts';
import { signaturePresets } from './signature/presets.ts';

export const describeProducers = () =>
  Object.entries<Producer>(producers).map(([name, producer]) => ({
    ...describe(producer),
    /** A typical event. */
    sample: samples[name as keyof typeof samples],
  }));

const describe = ({ signature, ...producer }: Producer) => ({
  name: producer.name,
  title: producer.title,
  delivers: producer.delivers,
  instructions: producer.instructions,
  /** The preset by which it signs; null when it does not sign. */
  signature: signature
    ? { preset: signature, scheme: signaturePresets[signature] as SignatureScheme }
    : null,
  /** Whether it sends a handshake. */
  handshake: producer.challenge !== undefined || producer.handshake !== undefined,
  challenge: producer.challenge ?? null,
  answer: producer.answer ?? null,
  eventId: producer.starterMapping.eventId ?? null,
  starterMapping: producer.starterMapping,
});

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
