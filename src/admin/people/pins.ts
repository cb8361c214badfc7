/** Names of pinned fields: as the API writes them (`name`, `fields.city`), and as keys of registers. */
import { fieldRegisterKey } from '../../domain/people/contact.ts';

const fieldPrefix = 'fields.';

export const pinToRegisterKey = (pin: string): string =>
  pin.startsWith(fieldPrefix) ? fieldRegisterKey(pin.slice(fieldPrefix.length)) : pin;

export const registerKeyToPin = (key: string): string =>
  key.startsWith('f:') ? fieldPrefix + decodeURIComponent(key.slice(2)) : key;
