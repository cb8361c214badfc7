import { freeName, type TargetName } from './targets.ts';

/** Creates a custom field named after the payload field. */
export const newFieldFor = (
  taken: readonly string[],
  room: 'contact' | 'context',
  wanted: string,
): TargetName => `${room}.fields.${freeName(taken, wanted)}`;
