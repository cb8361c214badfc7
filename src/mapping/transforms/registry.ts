import type { Transform } from './transform.ts';
import { boolean } from './boolean.ts';
import { date } from './date.ts';
import { document } from './document.ts';
import { email } from './email.ts';
import { json } from './json.ts';
import { lookup } from './lookup.ts';
import { number } from './number.ts';
import { phone } from './phone.ts';
import { pick } from './pick.ts';
import { digits, lower, trim, upper } from './plain-text.ts';
import { replace } from './replace.ts';
import { split } from './split.ts';
import { stripHtml } from './strip-html.ts';
import { template } from './template.ts';
import { title } from './title.ts';
import { truncate } from './truncate.ts';

/** Every transform that a mapping may name, in the order of the documentation. A new one is a file and an entry here. */
const list: readonly Transform[] = [
  trim,
  lower,
  upper,
  title,
  digits,
  truncate,
  replace,
  template,
  stripHtml,
  split,
  pick,
  json,
  lookup,
  number,
  boolean,
  phone,
  email,
  document,
  date,
];

export const transforms: ReadonlyMap<string, Transform> = new Map(
  list.map((transform) => [transform.name, transform]),
);
