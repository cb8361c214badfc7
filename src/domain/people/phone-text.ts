/** The number in a text that says more than the number, such as `tel:+55…`, `="55…"` or `2025550143 (cell)`. */
import { undecorated, withAsciiDigits, withoutInvisible } from './visible-text.ts';

// The longest number has 15 digits. The rest is room for a scheme, separators, a label and an extension.
const maxTextLength = 64;

// Addresses of messengers include the country code. Text before any other @ is not a number.
const messenger = /^\+?(\d+)(?::\d+)?@(?:c\.us|s\.whatsapp\.net)$/i;
const parameters = /;[a-z-]+=[^;]*/gi;
// A spreadsheet writes the number as a decimal one: 5511900000001.0.
const decimalPart = /^(\+?\d{7,15})\.0+$/;
const extension =
  /[ ,;(]*(?:ext(?:ens(?:ion|ão|ión))?|ramal|rml|int(?:erno)?|anexo|x|#)[ .:]*\d{1,6}\)?$/i;

// `Cel.: 11 …`, `Phone +1 …`; a word alone is a label only where it names a phone.
const label =
  /^(?:\p{L}[\p{L} .-]{0,19}:|(?:tel(?:e(?:f(?:oo?n|ono?)|phone))?|fone|phone|cel(?:ular)?|cell|mobile?|movil|móvil|whats(?:app)?|wpp|zap|handy|fax)\b\.?:?)\s*(?=[+(\d])/iu;
// `… (cell)`, `… - WhatsApp`, `… casa`.
const remark =
  /(?<=\d)(?:\s*[([]\s*\p{L}[\p{L} ./-]{0,23}[)\]]|\s+(?:[-–—|]\s*)?\p{L}[\p{L} .]{0,23})$/u;
const scientific = /^\d[.,](\d+)e\+?(\d{1,2})$/i;

/** Whether the text is the address of a messenger, which is a number with its country code and without separators. */
export const isMessengerAddress = (text: string): boolean =>
  messenger.test(text.trim()) || /^whatsapp:\+\d+$/i.test(text.trim());

/** Returns the number without what surrounds it, or null when the text has none or may be read in two ways. */
export function plainPhone(text: string): string | null {
  if (text.length > maxTextLength) return null;
  const plain = undecorated(withAsciiDigits(withoutInvisible(text.normalize('NFKC'))));
  const bare = wholeNumber(plain)
    .replace(decimalPart, '$1')
    .replace(/^(?:whatsapp|tel|sms|rcs|callto|p):(?:\/\/)?/i, '')
    .replace(messenger, '+$1')
    .replace(/^(?:https?:\/\/)?wa\.me\/\+?(?=\d)/i, '+')
    .replace(parameters, '')
    .replace(label, '')
    .replace(remark, '')
    .replace(extension, '')
    // In Brazil, xx is a placeholder for the carrier digits: (0xx11).
    .replace(/^(\(?0) ?xx ?/i, '$1')
    .trim();
  return /\d/.test(bare) && !bare.includes('@') && !/^[^+\d(]/.test(bare) ? bare : null;
}

/** Returns the digits of a number that a spreadsheet wrote as 5.511900000001E+12; '' when some of them were lost. */
function wholeNumber(text: string): string {
  const [, decimals, exponent] = scientific.exec(text) ?? [];
  if (decimals === undefined) return text;
  return decimals.length === Number(exponent) ? text.replace(/e.*$/i, '').replace(/\D/g, '') : '';
}
