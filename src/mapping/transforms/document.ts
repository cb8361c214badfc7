import { readDocument } from '../../domain/document.ts';
import type { Transform } from '../transform.ts';
import { noOptions, refuse } from '../transform.ts';

export const document: Transform = {
  name: 'document',
  doc: 'Reads a CPF or CNPJ without its punctuation and checks its digits; any other document stays as text.',
  examples: [{ from: '123.456.789-09', to: '12345678909' }],
  options: noOptions,
  apply(value) {
    const read = readDocument(String(value));
    return read === null
      ? refuse('invalid_document', 'The check digits of the document are wrong.')
      : { value: read };
  },
};
