/**
 * Varies the values of a payload and its truth together: names, phone numbers, dates, ids and e-mail addresses of other forms, and
 * the same keys. What depends on the form of the values of a corpus shows as a lower score.
 *
 * Deterministic: the same name and number give the same values.
 */
import { isJsonObject } from '../../../src/base/json/json-values.ts';
import { parsePhone } from '../../../src/domain/people/phone.ts';
import { readDate } from '../../../src/mapping/dates/read-date.ts';
import { isEmail, isIdentifier, isUrl, instantKind } from '../../leaves/value-shape.ts';
import { namesByForm, wholeName, type NameForm, type NamePair } from './names.ts';
import { randomOf, type Random } from './random.ts';
import {
  allDateForms,
  dateForms,
  newEmail,
  newId,
  newPhone,
  zonedForms,
  type DateForm,
  type VariedPhone,
} from './values.ts';

/** What is known of the person in a payload. */
interface Person {
  readonly name: string | null;
  readonly phone: string | null;
  readonly externalId: string | null;
  readonly region: string;
  /** The text of the date of the event, which may be a number that looks like an id. */
  readonly date: string | null;
}

interface Options {
  readonly seed: string;
  /** Whether the truth can have a date without a zone. */
  readonly hasLocalDates: boolean;
}

export interface Varied {
  readonly body: unknown;
  readonly region: string;
  /** Returns the new text for one of the old payload. */
  readonly textOf: (old: string) => string;
  /** Returns the new number for one of the old payload. */
  readonly phoneOf: (e164: string) => string;
  /** The other right texts of the name, such as the parts of a name that is also given whole. */
  readonly otherNames: readonly string[];
}

const idKey = /(?:^|[^a-z])(?:id|uuid|guid)$|(?:Id|ID|UUID|Uuid)$/;
const dateKey =
  /(?:date|time|timestamp|fecha|data|criado|created|updated|sent|(?:^|_)(?:at|ts|on)$|At$)/i;
const countryKey = /country|pais|region|ddi/i;
const roleAddress =
  /^(?:no-?reply|support|suporte|sales|vendas|ventas|info|contact|contato|contacto|admin|owner|agent|seller|billing|hello|team|help|postmaster|bounce)/i;
const otherPerson =
  /owner|agent|seller|vended|user|author|assignee|respons|host|manager|admin|atendente|operator|creator|produ[ct]|affiliate|organi[sz]er|staff/i;
const nameKey = /^(?:full_?|display_?)?(?:name|nome|nombre)$/i;

/** Returns the payload with other values. */
export function varyPayload(
  given: unknown,
  person: Person,
  { seed, hasLocalDates }: Options,
): Varied {
  const random = randomOf(seed);
  const changes = new Changes(given, person, { random, hasLocalDates });
  const body = changes.change(given, []);
  return {
    body,
    region: changes.phone?.region ?? person.region,
    textOf: (old) => changes.textOf(old),
    phoneOf: (e164) => (e164 === person.phone ? (changes.phone?.e164 ?? e164) : e164),
    otherNames: changes.otherNames,
  };
}

class Changes {
  readonly phone: VariedPhone | null;
  readonly otherNames: readonly string[];
  readonly #random: Random;
  readonly #person: Person;
  readonly #zonedForm: DateForm;
  readonly #localForm: DateForm;
  readonly #nameForm: NameForm;
  readonly #texts = new Map<string, string>();
  readonly #inside: (readonly [string, string])[] = [];
  readonly #keys = new Set<string>();

  constructor(
    body: unknown,
    person: Person,
    { random, hasLocalDates }: { random: Random; hasLocalDates: boolean },
  ) {
    this.#random = random;
    this.#person = person;
    const seen: { texts: Set<string>; hasCountry: boolean } = {
      texts: new Set(),
      hasCountry: false,
    };
    lookAt(body, (key, value) => {
      this.#keys.add(key);
      if (value !== null) seen.texts.add(value);
      seen.hasCountry ||= countryKey.test(key);
    });
    const form = random.pick(hasLocalDates ? allDateForms : zonedForms);
    this.#localForm = random.pick(allDateForms.filter((each) => !zonedForms.includes(each)));
    // One sender writes its dates in one form.
    this.#zonedForm = zonedForms.includes(form) ? form : this.#localForm;
    this.#nameForm = random.pick(Object.keys(namesByForm) as NameForm[]);
    this.otherNames = this.#planName(seen.texts);
    this.phone = this.#planPhone(seen.texts, seen.hasCountry);
    this.#planId();
  }

  #planName(texts: ReadonlySet<string>): readonly string[] {
    const { name } = this.#person;
    const [given = '', ...rest] = name?.split(/\s+/) ?? [];
    const family = rest.join(' ');
    if (name === null || given === '') return [];
    const hasParts = texts.has(given) && family !== '' && texts.has(family);
    const hasWhole = [...texts].some((text) => text === name);
    if (!hasParts && !hasWhole) return [];
    // In parts, no name is written with the last one first.
    const form = hasParts && this.#nameForm === 'last, first' ? 'particles' : this.#nameForm;
    const pair: NamePair = this.#random.pick(namesByForm[form]);
    const whole = wholeName(pair, form);
    const joined = pair.filter((part) => part !== '').join(' ');
    this.#texts.set(name, hasWhole ? whole : joined);
    if (hasParts) {
      this.#texts.set(given, pair[0]);
      this.#texts.set(family, pair[1]);
    }
    this.#inside.push([name, whole]);
    return hasParts && hasWhole ? [joined] : [];
  }

  #planPhone(texts: ReadonlySet<string>, hasCountry: boolean): VariedPhone | null {
    const { phone, region } = this.#person;
    if (phone === null) return null;
    const same = [...texts].filter((text) => isSameNumber(text, phone, region));
    const digits = phone.slice(1);
    // A number in parts stays as it is.
    if (same.length === 0) return null;
    const varied = newPhone(this.#random, { region, isFixed: hasCountry });
    for (const text of same) {
      const isBare = text === digits && varied.text !== digits;
      this.#texts.set(text, isBare ? varied.e164.slice(1) : varied.text);
    }
    this.#texts.set(digits, varied.e164.slice(1));
    for (const text of texts) {
      if (!same.includes(text) && text.includes(digits))
        this.#texts.set(text, text.replaceAll(digits, varied.e164.slice(1)));
    }
    return varied;
  }

  #planId(): void {
    const { externalId } = this.#person;
    if (externalId !== null) this.#planIdentifier(externalId);
  }

  #planIdentifier(text: string): void {
    const isPlain =
      isIdentifier(text) &&
      /\d/.test(text) &&
      !isUrl(text) &&
      !isEmail(text) &&
      !text.includes('@');
    if (!isPlain || text.length < 3 || this.#texts.has(text) || this.#keys.has(text)) return;
    if (parsePhone(text, null) !== null && text.startsWith('+')) return;
    if (text.includes(this.#person.phone?.slice(-7) ?? ' ')) return;
    this.#texts.set(text, newId(this.#random));
  }

  change(value: unknown, keys: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((each) => this.change(each, keys));
    if (isJsonObject(value)) {
      const entries = Object.entries(value).map(
        ([key, each]) => [key, this.change(each, [...keys, key])] as const,
      );
      return Object.fromEntries(entries);
    }
    if (typeof value === 'number') return this.#changeNumber(value, keys);
    if (typeof value !== 'string' || value.trim() === '') return value;
    const inner = jsonIn(value);
    if (inner !== null) return JSON.stringify(this.change(inner, keys));
    return this.#changeScalar(value, keys);
  }

  #changeNumber(value: number, keys: readonly string[]): string | number {
    const text = String(value);
    const changed = this.#changeScalar(text, keys);
    if (typeof changed === 'number') return changed;
    if (changed === text) return value;
    return /^[1-9]\d{0,14}$/.test(changed) ? Number(changed) : changed;
  }

  #changeScalar(text: string, keys: readonly string[]): string | number {
    const key = keys.at(-1) ?? '';
    const date = this.#dateIn(text, key);
    if (date !== null) {
      const form = instantKind(text) === 'zoned' ? this.#zonedForm : this.#localForm;
      const written = dateForms[form](date);
      this.#texts.set(text, String(written));
      return written;
    }
    if (idKey.test(key)) this.#planIdentifier(text);
    if (isEmail(text) && !this.#texts.has(text) && !roleAddress.test(text)) {
      const email = newEmail(this.#random);
      this.#texts.set(text, email);
      this.#inside.push([text, email]);
    }
    if (isOtherName(text, keys) && !this.#texts.has(text)) {
      const pair: NamePair = this.#random.pick(namesByForm[this.#nameForm]);
      this.#texts.set(text, wholeName(pair, this.#nameForm));
    }
    return this.textOf(text);
  }

  #dateIn(text: string, key: string): Date | null {
    const isOfEvent = text === this.#person.date;
    if (instantKind(text) === null || (/^\d+$/.test(text) && !isOfEvent && !dateKey.test(key)))
      return null;
    const read = readDate(text, { zone: 'UTC' });
    return 'iso' in read ? new Date(read.iso) : null;
  }

  textOf(old: string): string {
    const whole = this.#texts.get(old);
    if (whole !== undefined) return whole;
    return this.#inside.reduce((text, [from, to]) => text.replaceAll(from, to), old);
  }
}

const isOtherName = (text: string, keys: readonly string[]): boolean =>
  keys.length > 1 &&
  nameKey.test(keys.at(-1) ?? '') &&
  otherPerson.test(keys.at(-2) ?? '') &&
  /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u.test(text);

const isSameNumber = (text: string, e164: string, region: string): boolean =>
  /^\+?[\d\s().-]{7,24}$/.test(text) && parsePhone(text, region) === e164;

function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Calls with every key, and with every text or number and the key that it is under. */
function lookAt(value: unknown, see: (key: string, text: string | null) => void, key = ''): void {
  if (Array.isArray(value)) for (const each of value) lookAt(each, see, key);
  else if (isJsonObject(value))
    for (const [inner, each] of Object.entries(value)) {
      see(inner, null);
      lookAt(each, see, inner);
    }
  else if (typeof value === 'string') {
    const inner = jsonIn(value);
    if (inner === null) see(key, value);
    else lookAt(inner, see, key);
  } else if (typeof value === 'number') see(key, String(value));
}
