import type { Answer } from './client.ts';
import { useRead } from './use-api.ts';

export type Producer = Answer<'getProducers'>['producers'][number];

/** Undefined while it is not known. */
export function useProducer(name: string): Producer | undefined {
  return useRead('getProducers', {}).data?.producers.find((one) => one.name === name);
}
