import { parseEmail } from '../../domain/people/email.ts';
import { noOptions, transformProblem, type Transform } from './transform.ts';

export const email: Transform = {
  name: 'email',
  doc: 'Checks an e-mail address and converts it to lower case. A name, a scheme, quotes and a remark around it are left out.',
  examples: [
    { from: ' Ana@Example.com ', to: 'ana@example.com' },
    { from: 'Ana Souza <ana@example.com>', to: 'ana@example.com' },
  ],
  options: noOptions,
  apply(value) {
    const read = parseEmail(String(value));
    return read === null
      ? transformProblem('invalid_email', 'problem.invalid_email')
      : { value: read };
  },
};
