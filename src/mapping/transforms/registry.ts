import type { Transform } from '../transform.ts';
import { date } from './date.ts';
import { digits } from './digits.ts';
import { document } from './document.ts';
import { email } from './email.ts';
import { lower } from './lower.ts';
import { phone } from './phone.ts';
import { trim } from './trim.ts';

/** Every transform a mapping may name. A new one is a file here and an entry in this list. */
const list: readonly Transform[] = [trim, lower, digits, phone, email, document, date];

export const transforms: ReadonlyMap<string, Transform> = new Map(
  list.map((transform) => [transform.name, transform]),
);
