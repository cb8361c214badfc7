/**
 * Documents of people and companies. A CPF or CNPJ is written without punctuation, so that both spellings identify
 * the same person; one whose check digits are wrong is no document. Any other document stays as it is given.
 *
 * Of our own because the published validator takes the well-known test number 123.456.789-09 for invalid.
 */

const cpfShape = /^\d{11}$/;
// Since July 2026 the first twelve places may hold letters: Instrução Normativa RFB 2.229/2024.
const cnpjShape = /^[\dA-Z]{12}\d{2}$/;
const cnpjMask = /^[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2}$/;

export type DocumentKind = 'cpf' | 'cnpj';

/** The document's text; null when it is shaped as a CPF or CNPJ and its check digits are wrong. */
export function parseDocument(text: string): string | null {
  const given = text.trim();
  const bare = bareOf(given);
  if (cpfShape.test(bare)) return isCpf(bare) ? bare : null;
  if (!cnpjShape.test(bare)) return given;
  if (isCnpj(bare)) return bare;
  // Fourteen letters and digits may be a foreign document, unless they are punctuated as a CNPJ.
  return /^\d+$/.test(bare) || cnpjMask.test(given.toUpperCase()) ? null : given;
}

/** A document that must be of one kind. Zeros that a number lost from its front are put back. */
export function parseDocumentOf(kind: DocumentKind, text: string): string | null {
  const bare = bareOf(text);
  const whole = /^\d+$/.test(bare) ? bare.padStart(kind === 'cpf' ? 11 : 14, '0') : bare;
  if (kind === 'cpf') return cpfShape.test(whole) && isCpf(whole) ? whole : null;
  return cnpjShape.test(whole) && isCnpj(whole) ? whole : null;
}

const bareOf = (text: string): string => text.replace(/[\s./-]/g, '').toUpperCase();

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
    // A letter counts as its ASCII code less 48, which leaves a digit its own value.
    sum += (text.charCodeAt(text.length - 1 - i) - 48) * weightOf(i);
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
