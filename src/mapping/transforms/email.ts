import type { Transform } from './transform.ts';
import { noOptions, transformProblem } from './transform.ts';

// RFC 5321: 64 characters before the @, 254 in all.
const address =
  /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;

export const email: Transform = {
  name: 'email',
  doc: 'Checks an e-mail address and converts it to lower case.',
  examples: [{ from: ' Ana@Example.com ', to: 'ana@example.com' }],
  options: noOptions,
  apply(value) {
    const text = String(value).trim();
    return text.length <= 254 && address.test(text)
      ? { value: text.toLowerCase() }
      : transformProblem('invalid_email', 'The value is not an e-mail address.');
  },
};
