/**
 * Finds the phone numbers, email addresses and documents of a person in one text.
 *
 * Promises: the whole text is searched, as given and as it reads without the escapes of JSON, URLs and HTML and out of base64. The
 * time is linear in its length. In a body with more numbers than are compared, those that were not count as mentions, so that they
 * are removed.
 */
import { jsonInBase64 } from '../base/json/json-text.ts';
import type { OwnedIdentity } from '../domain/people/contact.ts';
import { parseDocument, parseDocumentOf } from '../domain/people/document.ts';
import { parseStoredPhone, phoneKeys } from '../domain/people/phone.ts';
import { withAsciiDigits, withoutInvisible } from '../domain/people/visible-text.ts';

/** What was compared in one body: the numbers that are not the person's, and how often one ended as theirs does. */
export type Compared = { readonly numbers: Set<string>; count: number };

/** `region`: of phone numbers without a country code. */
type Search = (text: string, region: string, compared: Compared) => boolean;

const valuesOf = (identities: readonly OwnedIdentity[], kind: OwnedIdentity['kind']): string[] => [
  ...new Set(identities.filter((one) => one.kind === kind).map(({ value }) => value)),
];

export function createMentionSearch(identities: readonly OwnedIdentity[]): Search {
  const searches = [
    phoneSearch(valuesOf(identities, 'phone')),
    emailSearch(valuesOf(identities, 'email')),
    documentSearch(valuesOf(identities, 'document')),
  ];
  return (given, region, compared) =>
    readingsOf(given).some((text) => searches.some((search) => search(text, region, compared)));
}

/** Escapes are inside escapes, such as a URL in a text of JSON in base64. */
const maxReadings = 4;

/** Returns the texts that one may stand for, itself first. */
function readingsOf(given: string): string[] {
  const readings = [given];
  for (let text = given; readings.length <= maxReadings;) {
    const decoded = jsonInBase64(text);
    const next = decoded ?? withoutEscapes(text);
    if (next === text) break;
    readings.push(next);
    text = next;
  }
  return readings.map(plainOf);
}

/** More marks on a letter than any language has. Normalization sorts them, which takes the square of their number. */
const surplusMarks = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

const ascii = /^[ -~]*$/;

const plainOf = (text: string): string =>
  ascii.test(text)
    ? text
    : withAsciiDigits(withoutInvisible(text).replaceAll(surplusMarks, '$1').normalize('NFKC'));

/** Of URLs, of JSON, and of HTML. */
const escapes = [
  /(?:%[\da-f]{2})+/gi,
  /\\(?:u[\da-f]{4}|["\\/bfnrt])/gi,
  /&#(?:\d{1,6}|x[\da-f]{1,5});/gi,
];

const withoutEscapes = (text: string): string =>
  /[%\\&]/.test(text)
    ? escapes.reduce((rest, escape) => rest.replaceAll(escape, unescaped), text)
    : text;

function unescaped(escape: string): string {
  if (escape.startsWith('%')) return Buffer.from(escape.replaceAll('%', ''), 'hex').toString();
  const [, decimal] = /^&#(\d+)/.exec(escape) ?? [];
  if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
  const [, hex] = /([\da-f]+);?$/i.exec(escape.length > 2 ? escape : '') ?? [];
  if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
  return /["\\/]$/.test(escape) ? escape.slice(1) : ' ';
}

const maxPhoneDigits = 17;
/** Between the groups of one number; `+` is a space in a form. */
const gap = /^[\s().+/-]{1,4}$/;
/** Of one body. A number takes 10 to 500 µs, and less than 1 µs when it was compared before. */
const maxNumbers = 5_000;
const maxComparisons = 100_000;
/** A number may lack its country code, and in Brazil the ninth digit. */
const maxLeftOut = 4;
const endingLength = 6;

function phoneSearch(values: readonly string[]): Search {
  const phones = new Set(values);
  // The last digits of a number are the same however it is written.
  const written = values.map((phone) => phone.replace(/\D/g, ''));
  const endings = written.map((digits) => digits.slice(-endingLength));
  const mayBe = (digits: string) =>
    written.some(
      ({ length }, index) =>
        digits.length >= length - maxLeftOut && digits.endsWith(endings[index] ?? ''),
    );

  function isPhone(text: string, region: string): boolean {
    const phone = parseStoredPhone(text.slice(0, 1) + text.slice(1).replaceAll('+', ' '), region);
    return phone !== null && phoneKeys(phone).some((key) => phones.has(key));
  }

  return function hasPhone(text, region, compared) {
    const all = text.replace(/\D/g, '');
    if (!endings.some((ending) => all.includes(ending))) return false;
    // The last groups, and where each begins and ends.
    const groups: { from: number; end: number; digits: string }[] = [];
    let tail = '';
    for (const { 0: last, index } of text.matchAll(/\d+/g)) {
      groups.push({ from: index, end: index + last.length, digits: last });
      if (groups.length > maxPhoneDigits) groups.shift();
      tail = (tail + last).slice(-endingLength);
      if (!endings.includes(tail)) continue;
      let [digits, next] = ['', index];
      // From the last group to the first one that may belong to the number.
      for (const { from, end, digits: group } of groups.toReversed()) {
        if (digits !== '' && !gap.test(text.slice(end, next))) break;
        digits = group + digits;
        next = from;
        if (digits.length > maxPhoneDigits) break;
        if (!mayBe(digits)) continue;
        const start = text[from - 1] === '+' ? from - 1 : from;
        const number = text.slice(start, index + last.length);
        if ((compared.count += 1) > maxComparisons) return true;
        if (compared.numbers.has(number)) continue;
        if (compared.numbers.size >= maxNumbers || isPhone(number, region)) return true;
        compared.numbers.add(number);
      }
    }
    return false;
  };
}

/** `joana@example.com` does not mention `ana@example.com`, nor does `maria.ana@example.com`. */
const withinName = /[\p{L}\p{N}][._-]?$/u;

function emailSearch(values: readonly string[]): Search {
  const emails = values.map((value) => value.normalize('NFKC').toLowerCase());
  return (given) => {
    if (emails.length === 0) return false;
    const text = given.toLowerCase();
    return emails.some((email) => {
      for (let at = text.indexOf(email); at !== -1; at = text.indexOf(email, at + 1))
        if (!withinName.test(text.slice(Math.max(at - 2, 0), at))) return true;
      return false;
    });
  };
}

/** A shorter document would be found in any text. */
const minDocument = 5;
/** A shorter one is only looked for as a whole value: an order has a number, too. */
const minDocumentInText = 7;
const maxDocumentText = 40;

function documentSearch(values: readonly string[]): Search {
  // A document of another country is stored as given.
  const documents = new Set(values.map(plainOf).filter(({ length }) => length >= minDocument));
  const patterns = [...documents].flatMap(patternOf);
  const isDocument = (text: string): boolean =>
    [text, parseDocument(text), parseDocumentOf('cpf', text), parseDocumentOf('cnpj', text)].some(
      (one) => one !== null && documents.has(one),
    );

  return (text) =>
    documents.size > 0 &&
    ((text.length >= minDocument && text.length < maxDocumentText && isDocument(text.trim())) ||
      patterns.some((pattern) => pattern.test(text)));
}

/** Its letters and digits, with or without punctuation, and not within a longer number. */
function patternOf(document: string): RegExp[] {
  const characters = Array.from(document.replace(/[\s./-]/g, ''));
  if (characters.length < minDocumentInText) return [];
  const kind = /^\d+$/.test(characters.join('')) ? '\\d' : '[\\p{L}\\p{N}]';
  const written = characters
    .map((one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`)
    .join('[\\s./-]{0,2}');
  return [new RegExp(`(?<!${kind})${written}(?!${kind})`, 'iu')];
}
