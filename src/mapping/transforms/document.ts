import { parseDocument, parseDocumentOf, type DocumentKind } from '../../domain/people/document.ts';
import { transformProblem, optionsSchema, type Transform } from './transform.ts';
import { textWith } from '../../base/texts/texts.ts';

type Options = { kind?: DocumentKind };

export const document: Transform<Options> = {
  name: 'document',
  doc: 'Reads a CPF or CNPJ (also with letters) without punctuation and verifies its check digits, which must be right when the punctuation is that of a CPF or CNPJ or the channel’s region is BR. Any other document stays as text. With `kind`, only that kind is read, and leading zeros that a number has lost are restored.',
  examples: [
    { from: '123.456.789-09', to: '12345678909' },
    { from: '12.abc.345/01de-35', to: '12ABC34501DE35' },
    { options: { kind: 'cpf' }, from: 1234567890, to: '01234567890' },
    { from: 'AB 123.456-7', to: 'AB 123.456-7' },
    { from: '20-12345678-6', to: '20-12345678-6' },
  ],
  options: optionsSchema({ kind: { type: 'string', enum: ['cpf', 'cnpj'] } }),
  apply(value, { options: { kind }, region }) {
    const text = String(value);
    const read = kind === undefined ? parseDocument(text, region) : parseDocumentOf(kind, text);
    if (read !== null) return { value: read };
    const message =
      kind === undefined ? 'problem.check_digits' : textWith('problem.invalid_document', { kind });
    return transformProblem('invalid_document', message);
  },
};
