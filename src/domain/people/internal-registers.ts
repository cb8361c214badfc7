import { repliedAtRegister, threadRegister } from './contact.ts';
import { isNamePart } from './name-parts.ts';

/** Registers of the channel's own conversation, and the parts of a name: they are neither shown nor copied to another channel. */
export const isInternal = (key: string): boolean =>
  key === repliedAtRegister || key === threadRegister || isNamePart(key);
