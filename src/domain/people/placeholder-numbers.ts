/** Documents and phone numbers that nobody has: people fill a required field with them, and forms show them as examples. */
import { withAsciiDigits } from './visible-text.ts';

/**
 * Documents that a tax office has defined for a buyer without one: of Mexico the public and foreigners, of Portugal, Spain and
 * Paraguay the final consumer. Those of other countries are of one digit.
 */
const genericDocuments = new Set([
  'XAXX010101000',
  'XEXX010101000',
  '999999990',
  '99999999R',
  '444444017',
]);

/** Whether the document is of one digit, a sequence, or one that a tax office has defined for nobody. */
export function isPlaceholderDocument(text: string): boolean {
  const bare = withAsciiDigits(text.normalize('NFKC'))
    .toUpperCase()
    .replaceAll(/[\s./-]/g, '');
  if (genericDocuments.has(bare) || isSequence(bare)) return true;
  // A Spanish number has a letter before or after it.
  return /^(?:(\d)\1{3,}|([A-Z])\2{2,}|[A-Z]?0{7,}[A-Z]?)$/.test(bare);
}

/** Whether a text of at least eight digits counts up or down: 1234567890, 0123456789, 87654321. */
const isSequence = (text: string): boolean =>
  text.length >= 8 && ('0123456789012345'.includes(text) || '9876543210'.includes(text));

type Parts = {
  /** The country code, without a plus. */
  readonly ddi: string;
  readonly national: string;
};

/** The rest of the rules need seven equal digits, or a number that counts. */
const candidate = /(\d)\1{6,}$|(?:01234567|12345678|2345678901|98765432|5551212$|5551234567$)/;

/** Whether a quick look at the digits leaves it open that this is a placeholder. */
export const mayBePlaceholder = (digits: string): boolean => candidate.test(digits);

/**
 * Whether the number is of one digit after its area code, or counts up or down. `555-01xx` stays a number: it is what tests and manuals give
 * to people.
 */
export function isPlaceholderPhone({ ddi, national }: Parts): boolean {
  if (/^0+$/.test(national)) return true;
  if (isSequence(national)) return true;
  if (ddi === '55') return /^(?:\d{2}9?)?(\d)\1{7,}$/.test(national);
  if (ddi === '1' && /^(?:\d{3}5551212|5551234567)$/.test(national)) return true;
  // A shorter number of one digit may be real: +47 22 22 22 22.
  return national.length >= 9 && /^\d{0,3}?(\d)\1{6,}$/.test(national);
}

/** Whether a text that cannot be parsed is one of these: 123-456-7890 in the United States, (00) 00000-0000 in Brazil. */
export function isUnassigned(text: string): boolean {
  if (!/^[\s+().\d/-]{7,24}$/.test(text)) return false;
  const digits = text.replace(/\D/g, '');
  return (
    isSequence(digits) || isSequence(digits.slice(1)) || /^(?:\d{0,5}?)(\d)\1{6,}$/.test(digits)
  );
}
