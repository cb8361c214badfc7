/**
 * Documents of people and companies. A CPF or CNPJ is stored without punctuation, so that both spellings
 * identify the same person; one with wrong check digits is invalid. Documents of other countries are stored as given.
 *
 * Written here because the published validator rejects the well-known test number 123.456.789-09.
 */
import { undecorated, withAsciiDigits, withoutInvisible } from './visible-text.ts';

const cpfShape = /^\d{11}$/;
// Since July 2026 the first twelve characters may be letters: Instrução Normativa RFB 2.229/2024.
const cnpjShape = /^[\dA-Z]{12}\d{2}$/;
const cnpjMask = /^[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2}$/;

export type DocumentKind = 'cpf' | 'cnpj';

// As people write the digits of a CPF or CNPJ: other documents of 11 or 14 digits have their marks elsewhere.
const cpfWritten = /^\d{3}[. ]?\d{3}[. ]?\d{3}[-–. /]?\d{2}$/;
const cpfMask = /^\d{3}\.\d{3}\.\d{3}-\d{2}$/;
const cnpjWritten = /^[\dA-Z]{2}[. ]?[\dA-Z]{3}[. ]?[\dA-Z]{3}[/ ]?[\dA-Z]{4}[- ]?\d{2}$/;

/**
 * Returns the normalized document. Null: it is a CPF or CNPJ, because its punctuation or the region (two letters) says so, and its
 * check digits are wrong. Elsewhere a number of 11 or 14 digits is the document of another country and stays as text.
 */
export function parseDocument(text: string, region: string | null = 'BR'): string | null {
  const given = withoutInvisible(text).trim();
  const plain = withoutDecimals(
    undecorated(withAsciiDigits(given.normalize('NFKC'))),
  ).toUpperCase();
  const bare = withoutPunctuation(plain);
  const isOfBrazil = region === 'BR';
  if (cpfShape.test(bare) && cpfWritten.test(plain)) {
    if (isCpf(bare)) return bare;
    return isOfBrazil || cpfMask.test(plain) ? null : given;
  }
  if (!cnpjShape.test(bare) || !cnpjWritten.test(plain)) return given;
  if (isCnpj(bare)) return bare;
  // Fourteen letters and digits without the punctuation of a CNPJ may be a foreign document.
  return (isOfBrazil && /^\d+$/.test(bare)) || cnpjMask.test(plain) ? null : given;
}

/** Returns the normalized CPF or CNPJ, or null if it is invalid. Restores leading zeros that a number lost. */
export function parseDocumentOf(kind: DocumentKind, text: string): string | null {
  const plain = undecorated(withAsciiDigits(withoutInvisible(text).normalize('NFKC')));
  const bare = withoutPunctuation(withoutDecimals(plain).toUpperCase());
  const whole = /^\d+$/.test(bare) ? bare.padStart(kind === 'cpf' ? 11 : 14, '0') : bare;
  if (kind === 'cpf') return cpfShape.test(whole) && isCpf(whole) ? whole : null;
  return cnpjShape.test(whole) && isCnpj(whole) ? whole : null;
}

// A spreadsheet writes digits as a decimal number: 12345678909.0.
const withoutDecimals = (text: string): string => text.replace(/^(\d{11}|\d{14})\.0$/, '$1');

const withoutPunctuation = (text: string): string => text.replace(/[\s./–-]/g, '');

function isCpf(digits: string): boolean {
  return !isOneDigit(digits) && hasCheckDigits(digits, (fromRight) => fromRight + 2);
}

function isCnpj(text: string): boolean {
  return !isOneDigit(text) && hasCheckDigits(text, (fromRight) => (fromRight % 8) + 2);
}

const isOneDigit = (text: string): boolean => /^(\d)\1+$/.test(text);

function hasCheckDigits(text: string, weightOf: (fromRight: number) => number): boolean {
  const body = text.slice(0, -2);
  const first = checkDigit(body, weightOf);
  return text.endsWith(`${first}${checkDigit(`${body}${first}`, weightOf)}`);
}

function checkDigit(text: string, weightOf: (fromRight: number) => number): number {
  let sum = 0;
  for (let i = 0; i < text.length; i += 1) {
    // The value of a character is its ASCII code minus 48; digits keep their value.
    sum += (text.charCodeAt(text.length - 1 - i) - 48) * weightOf(i);
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
