/** The transforms with their options and examples; empty while they are loaded. */
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';

export type Transform = Answer<'getTransforms'>['transforms'][number];

const none: readonly Transform[] = [];

export const useTransforms = (): readonly Transform[] =>
  useApiQuery('getTransforms', {}).data?.transforms ?? none;
