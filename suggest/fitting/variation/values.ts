/** New values of the forms that senders write: phone numbers of 20 countries, dates, ids and e-mail addresses. */
import { getExampleNumber, type CountryCode } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { parsePhone } from '../../../src/domain/people/phone.ts';
import type { Random } from './random.ts';

const countries: readonly CountryCode[] = [
  'BR',
  'US',
  'IN',
  'ID',
  'JP',
  'DE',
  'FR',
  'GB',
  'MX',
  'TR',
  'VN',
  'KR',
  'IT',
  'ES',
  'PL',
  'NL',
  'CO',
  'AR',
  'PT',
  'SA',
];

export interface VariedPhone {
  readonly e164: string;
  /** As the sender writes it. */
  readonly text: string;
  /** The region of the channel in which it is read. */
  readonly region: string;
}

/** Returns a number that the parser reads in the region, which may be another one when the payload names no country. */
export function newPhone(
  random: Random,
  given: { readonly region: string; readonly isFixed: boolean },
): VariedPhone {
  const country = random.pick(countries);
  const isLocal = random.below(2) === 0;
  const region = isLocal && !given.isFixed ? country : given.region;
  const own = country === region ? country : random.pick([country, region as CountryCode]);
  const number = getExampleNumber(own, examples);
  if (number === undefined) throw new Error(`No example of ${own}.`);
  const tail = random.text(4, '123456789');
  const e164 = `${number.number.slice(0, -4)}${tail}`;
  const digits = e164.slice(1);
  const code = number.countryCallingCode;
  const national = number.formatNational().replace(/\d{4}$|\d(?:\D?\d){3}$/, (end) => {
    let at = 0;
    return end.replace(/\d/g, () => tail[at++] ?? '0');
  });
  const spaced = `+${code} ${digits.slice(code.length, code.length + 3)} ${digits.slice(code.length + 3)}`;
  const texts = [
    e164,
    spaced,
    digits,
    `00${digits}`,
    `+${code} (${digits.slice(code.length, code.length + 2)}) ${digits.slice(code.length + 2)}`,
  ];
  if (own === region) texts.push(national, national.replace(/\D/g, ''), national);
  const text = random.pick(texts);
  const isRead = parsePhone(text, region) === e164;
  return { e164, text: isRead ? text : e164, region };
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** By form. Each returns the moment as text or as a number. */
export const dateForms = {
  'epoch seconds': (date: Date) => Math.floor(date.getTime() / 1_000),
  'epoch milliseconds': (date: Date) => date.getTime(),
  'epoch seconds as text': (date: Date) => String(Math.floor(date.getTime() / 1_000)),
  'ISO in UTC': (date: Date) => date.toISOString(),
  'ISO with an offset': (date: Date) =>
    new Date(date.getTime() - 3 * 3_600_000).toISOString().replace(/\.\d+Z$/, '-03:00'),
  'ISO with a compact offset': (date: Date) =>
    new Date(date.getTime() + 5.5 * 3_600_000).toISOString().replace(/Z$/, '+0530'),
  'ISO without a zone': (date: Date) => date.toISOString().replace(/\.\d+Z$/, ''),
  'with a space': (date: Date) =>
    date
      .toISOString()
      .replace('T', ' ')
      .replace(/\.\d+Z$/, ''),
  'day first': (date: Date) =>
    `${twoDigits(date.getUTCDate())}/${twoDigits(date.getUTCMonth() + 1)}/${date.getUTCFullYear()} ${date.toISOString().slice(11, 16)}`,
} as const satisfies Readonly<Record<string, (date: Date) => string | number>>;

export type DateForm = keyof typeof dateForms;
/** Forms that say the zone. */
export const zonedForms: readonly DateForm[] = [
  'epoch seconds',
  'epoch milliseconds',
  'epoch seconds as text',
  'ISO in UTC',
  'ISO with an offset',
  'ISO with a compact offset',
];
export const allDateForms = Object.keys(dateForms) as DateForm[];

const letters = 'abcdefghijklmnopqrstuvwxyz';
const hex = '0123456789abcdef';
const base62 = `${letters}${letters.toUpperCase()}0123456789`;

const idForms: readonly ((random: Random) => string)[] = [
  (random) => `${1 + random.below(9)}${random.text(4 + random.below(4), '0123456789')}`,
  (random) => `${1 + random.below(9)}${random.text(17, '0123456789')}`,
  (random) => {
    const digits = random.text(30, hex);
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-8${digits.slice(15, 18)}-${digits.slice(18, 30)}`;
  },
  (random) => `01${random.text(24, '0123456789ABCDEFGHJKMNPQRSTVWXYZ')}`,
  (random) => `${random.text(3, letters)}_${random.text(14, base62)}`,
  (random) => random.text(24, hex),
  (random) => `${random.text(3, letters).toUpperCase()}-${random.text(5, '123456789')}`,
  (random) =>
    `${random.text(5, letters)}-${random.text(4, letters)}-${random.text(3, '123456789')}`,
  (random) => `${random.text(20, base62)}7`,
];

export const newId = (random: Random): string => random.pick(idForms)(random);

/** Returns an address whose local part says nothing of a role. */
export function newEmail(random: Random): string {
  const given = random.pick(['maria', 'joao', 'priya', 'lukasz', 'sofia', 'wei', 'yuki', 'omar']);
  const family = random.pick([
    'silva',
    'santos',
    'sharma',
    'nowak',
    'rossi',
    'wang',
    'sato',
    'ali',
  ]);
  const number = random.text(2, '123456789');
  const local = random.pick([
    `${given}.${family}`,
    `${given}${number}`,
    `${given[0]}_${family}${number}`,
    `${family}-${given}+web`,
    `${given.toUpperCase()}.${family.toUpperCase()}${number}`,
    `${given}${family}`,
  ]);
  const host = random.pick([
    'gmail.com',
    'example.com.br',
    'mail.example.co.uk',
    'example.in',
    'uol.com.br',
    'example.io',
    'web.de',
    'naver.com',
  ]);
  return `${local}@${host}`;
}
