import { jsonBody } from './decode/json.ts';
import type { Producer } from './producer.ts';

export const producers = {
  generic: { name: 'generic', ...jsonBody },
} satisfies Record<string, Producer>;

/** The producer that a webhook's profile names; a profile that this version does not know is read as any sender. */
export const producerOf = (profile: string): Producer =>
  Object.entries(producers).find(([name]) => name === profile)?.[1] ?? producers.generic;
