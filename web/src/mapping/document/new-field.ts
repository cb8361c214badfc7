import { freeName, type TargetName } from './targets.ts';

/** A field of the person's own that is called as the payload calls it. */
export const newFieldFor = (
  taken: readonly string[],
  room: 'contact' | 'context',
  wanted: string,
): TargetName => `${room}.fields.${freeName(taken, wanted)}`;
