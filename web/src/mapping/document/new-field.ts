import { freeName, type TargetName } from './targets.ts';

/** Creates a custom field named after the payload field. */
export const newFieldFor = (
  taken: readonly string[],
  group: 'contact' | 'context',
  wanted: string,
): TargetName => `${group}.fields.${freeName(taken, wanted)}`;
