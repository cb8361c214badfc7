// The catalogues, as data. Types hold that each language has each code with the same values.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { en } from '../../../src/base/texts/en.ts';
import { es } from '../../../src/base/texts/es.ts';
import { ptBr } from '../../../src/base/texts/pt-BR.ts';
import { schemaText } from '../../../src/base/texts/schema-text.ts';
import {
  isKnownText,
  languages,
  renderText,
  textWith,
  type PublicText,
} from '../../../src/base/texts/texts.ts';

const translations: Readonly<Record<string, Readonly<Record<string, string>>>> = { es, ptBr };
const codes = Object.keys(en).toSorted();
const slotsOf = (sentence = '') => sentence.match(/\{\w+\}/g)?.toSorted() ?? [];

describe.each(Object.entries(translations))('in %s', (_name, sentences) => {
  test('there is a sentence for each code, and no other', () => {
    expect(Object.keys(sentences).toSorted()).toEqual(codes);
  });

  test('each sentence has the values of the English one', () => {
    const other = Object.entries(en).filter(
      ([code, sentence]) => slotsOf(sentences[code]).join(' ') !== slotsOf(sentence).join(' '),
    );
    expect(other).toEqual([]);
  });

  test('no sentence is empty or English', () => {
    const prose = Object.entries(en).filter(([, sentence]) => / \w+ /.test(sentence));
    expect(prose.length).toBeGreaterThan(150);
    expect(prose.filter(([code, sentence]) => sentences[code] === sentence)).toEqual([]);
    expect(codes.filter((code) => (sentences[code] ?? '').trim() === '')).toEqual([]);
  });
});

test('a text is rendered with its values, which are not read as slots', () => {
  const text = textWith('expression.syntax', { reason: '{name} $& at 3' });
  expect(languages.map((language) => renderText(text, language))).toEqual([
    'Not a JMESPath expression: {name} $& at 3',
    'Não é uma expressão JMESPath: {name} $& at 3',
    'No es una expresión JMESPath: {name} $& at 3',
  ]);
});

test('the blocks of a template are no slots', () => {
  expect(renderText(textWith('transform.template_block', { levels: 3 }), 'en')).toBe(
    'Each {{#if path}} needs one {{/if}} and at most one {{else}}, 3 levels deep.',
  );
});

test('a text of a later release is not known', () => {
  expect(isKnownText('field.required')).toBe(true);
  expect(isKnownText('field.of_a_later_release' as PublicText)).toBe(false);
  expect(isKnownText({ code: 'constructor', values: {} } as unknown as PublicText)).toBe(false);
});

describe('what a schema’s validator finds', () => {
  const schema = {
    type: 'object',
    properties: {
      short: { type: 'string', minLength: 1 },
      long: { type: 'string', maxLength: 3 },
      few: { type: 'array', minItems: 1 },
      many: { type: 'array', maxItems: 1 },
      twice: { type: 'array', uniqueItems: true },
      less: { type: 'object', minProperties: 1 },
      more: { type: 'object', maxProperties: 1 },
      high: { type: 'number', maximum: 3 },
      low: { type: 'number', minimum: 0 },
      highest: { type: 'number', exclusiveMaximum: 3 },
      lowest: { type: 'number', exclusiveMinimum: 0 },
      date: { type: 'string', format: 'date' },
      pattern: { type: 'string', pattern: '^a$' },
      constant: { const: 1 },
      any: { anyOf: [{ const: 1 }, { const: 2 }] },
      one: { oneOf: [{ const: 1 }, { const: 2 }] },
      number: { type: ['number', 'null'] },
      step: { type: 'number', multipleOf: 2 },
    },
    required: ['missing'],
  };
  const value = {
    short: '',
    long: 'long',
    few: [],
    many: [1, 2],
    twice: [1, 1],
    less: {},
    more: { a: 1, b: 2 },
    high: 4,
    low: -1,
    highest: 3,
    lowest: 0,
    date: 'x',
    pattern: 'b',
    constant: 2,
    any: 3,
    one: 3,
    number: 'x',
    step: 3,
  };
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  validate(value);
  const errors = validate.errors ?? [];

  test('is said in English as the validator does', () => {
    expect(errors.length).toBeGreaterThan(18);
    expect(errors.map((error) => renderText(schemaText(error), 'en'))).toEqual(
      errors.map(({ message }) => message),
    );
  });

  test('is said in each language, with its bounds', () => {
    for (const language of ['es', 'pt-BR'] as const) {
      const said = errors
        .filter(({ keyword }) => keyword !== 'multipleOf')
        .map((error) => renderText(schemaText(error), language));
      expect(said.filter((text) => /\b(?:must|is|NOT)\b/.test(text))).toEqual([]);
    }
    const [bound] = errors.filter(({ keyword }) => keyword === 'maxLength');
    expect(bound && renderText(schemaText(bound), 'es')).toBe(
      'puede tener como máximo 3 caracteres',
    );
  });

  test('lists the allowed values', () => {
    const error = { keyword: 'enum', params: { allowedValues: ['a', 'b'] } };
    expect(renderText(schemaText(error), 'en')).toBe(
      'must be equal to one of the allowed values: a, b',
    );
  });
});
