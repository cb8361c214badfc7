import {
  transformProblem,
  optionsSchema,
  type Transform,
  type TransformResult,
} from './transform.ts';

type Separator = '.' | ',';
type Options = { decimal?: Separator };

// Digits before and after the separator together, and the most that an exponent may add.
const maxDigits = 100;
const currency =
  /^([+-]?)\s*(?:[A-Z]{1,3}\s*)?(?:\p{Sc}\s*)?([+-]?)(?=[\d.,])|(?<=\d)\s*(?:[A-Z]{3}|\p{Sc}|%)$/gu;
const plain = /^([+-]?)(\d[\d.,\s'’]*|[.,]\d+)$/;
const exponential = /^([+-]?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/;

export const number: Transform<Options> = {
  name: 'number',
  doc: 'Reads a number as written in Brazil (1.234,56) or in English (1,234.56), with or without a currency, and keeps all its digits. `decimal` is the separator of the fraction. Without it an ambiguous text such as 1.234 is a problem.',
  examples: [
    { from: 'R$ 1.234,50', to: '1234.50' },
    { from: '1,234,567.89', to: '1234567.89' },
    { options: { decimal: ',' }, from: '1.234', to: '1234' },
    { options: { decimal: '.' }, from: '1.234', to: '1.234' },
    { from: '90071992547409931234', to: '90071992547409931234' },
  ],
  options: optionsSchema({ decimal: { type: 'string', enum: [',', '.'] } }),
  apply(value, { options }) {
    if (typeof value === 'boolean') return notNumber();
    const text = String(value).trim();
    if (text.length > maxDigits) return notNumber();
    const isPlain = typeof value === 'number' || exponential.test(text);
    if (isPlain) return resultOf(readPlain(text));
    const [, sign = '', digits = ''] = plain.exec(text.replace(currency, '$1$2')) ?? [];
    if (digits === '') return notNumber();
    const decimal = options.decimal ?? separatorOf(digits);
    return decimal === null
      ? transformProblem('invalid_number', 'problem.decimal_unknown')
      : resultOf(compose(sign, digits, decimal));
  },
};

const notNumber = (): TransformResult =>
  transformProblem('invalid_number', 'problem.invalid_number');

const resultOf = (read: string | null): TransformResult =>
  read === null ? notNumber() : { value: read };

/** Reads a number as JavaScript writes it, and writes its exponent out. */
function readPlain(text: string): string | null {
  const found = exponential.exec(text);
  if (found === null) return Number.isFinite(Number(text)) ? text : null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found;
  const point = whole.length + Number(exponent);
  if (Math.abs(point) > maxDigits) return null;
  const digits = (whole + fraction).padStart(
    whole.length + fraction.length - Math.min(point, 0),
    '0',
  );
  const at = Math.max(point, 0);
  return compose(sign, `${digits.slice(0, at).padEnd(at, '0') || '0'}.${digits.slice(at)}`, '.');
}

/** Returns the separator of the fraction: the last of both kinds, or the only one by its position; null when ambiguous. */
function separatorOf(digits: string): Separator | null {
  const [comma, point] = [digits.lastIndexOf(','), digits.lastIndexOf('.')];
  if (comma >= 0 && point >= 0) return comma > point ? ',' : '.';
  const mark = comma >= 0 ? ',' : '.';
  const [whole = '', ...groups] = digits.split(mark);
  if (groups.length === 0) return '.';
  if (groups.length > 1) return mark === ',' ? '.' : ',';
  const isGroup = groups[0]?.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  return isGroup ? null : mark;
}

function compose(sign: string, digits: string, decimal: Separator): string | null {
  const [whole = '', fraction = '', ...more] = digits.split(decimal);
  const groups = whole.split(/[.,\s'’]/);
  const [first = '', ...rest] = groups;
  const areGroups =
    rest.length === 0 || (first.length <= 3 && rest.every((each) => each.length === 3));
  if (more.length > 0 || !areGroups || !/^\d*$/.test(fraction)) return null;
  const integer = groups.join('').replace(/^0+(?=\d)/, '') || '0';
  return `${sign === '-' ? '-' : ''}${integer}${fraction === '' ? '' : `.${fraction}`}`;
}
