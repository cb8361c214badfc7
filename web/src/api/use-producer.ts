import type { Answer } from './client.ts';
import { useApiQuery } from './use-api.ts';

export type Producer = Answer<'getProducers'>['producers'][number];

/** Undefined while loading. */
export function useProducer(name: string): Producer | undefined {
  return useApiQuery('getProducers', {}).data?.producers.find((one) => one.name === name);
}
