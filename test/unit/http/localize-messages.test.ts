import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { documentProblemKinds } from '../../../src/mapping/document-problem.ts';
import { compileValidator } from '../../../src/http/requests/validation.ts';
import { localizeMessage, localizeMessages } from '../../../src/http/localize-messages.ts';

const root = join(import.meta.dirname, '../../../src');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(
    (name) => name.endsWith('.ts') && !name.includes('openapi/') && !name.includes('samples/'),
  )
  .map((name) => readFileSync(join(root, name), 'utf8'));

const text = String.raw`('(?:[^'\\]|\\.)*'|\x60[^\x60]*\x60)`;
const kinds = documentProblemKinds.join('|');
const shapes = [
  String.raw`'(?:${kinds})',\s*${text}`,
  String.raw`(?:invalidField|invalidQuery)\((?:[^()]|\([^()]*\))*?,\s*${text}`,
  String.raw`path[^{}]*?,\s*message:\s*${text}`,
  String.raw`(?:reject|problem)\(\s*(?:'/[^']*',\s*)?${text}`,
  String.raw`unsupported\(${text}`,
  String.raw`decodeFailure\('\w+',\s*${text}`,
  String.raw`(?:transformProblem|reportProblem|splitFailure)\((?:[^()'{]|'[a-z_]+')*(?:\{ (?:failure, )?message: )?${text}`,
  String.raw`(?:problem|code): '[a-z_]+',\s*message:\s*${text}`,
];

/** The messages that the sources name, with a number for each value in a template. Without names of kinds. */
const named = sources
  .flatMap((source) => shapes.flatMap((shape) => [...source.matchAll(new RegExp(shape, 'g'))]))
  .map(([, found = '']) => found.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, '7'))
  .filter((message) => message.includes(' '));

const fails = {
  short: '',
  long: 'x'.repeat(9),
  blank: ' ',
  list: [],
  twice: [1, 1],
  number: 9,
  small: -1,
  kind: 'c',
  date: 'x',
  wrong: {},
  other: 1,
};
const schema = Type.Object(
  {
    short: Type.String({ minLength: 1 }),
    long: Type.String({ maxLength: 3 }),
    blank: Type.String({ pattern: String.raw`\S` }),
    list: Type.Array(Type.Number(), { minItems: 1 }),
    twice: Type.Array(Type.Number(), { uniqueItems: true }),
    number: Type.Number({ maximum: 3 }),
    small: Type.Number({ minimum: 0 }),
    kind: Type.Unsafe({ enum: ['a', 'b'] }),
    date: Type.String({ format: 'date' }),
    wrong: Type.String(),
    missing: Type.String(),
  },
  { additionalProperties: false },
);

test('every message of a problem has a translation', () => {
  expect(named.length).toBeGreaterThan(110);
  for (const language of ['pt-BR', 'es'] as const)
    expect(named.filter((message) => localizeMessage(message, language) === message)).toEqual([]);
});

test('the messages of schemas are translated, with their bounds', () => {
  const problems = compileValidator(schema)(fails);
  expect(problems).toHaveLength(12);
  expect(localizeMessages(problems, 'en')).toEqual(problems);
  for (const language of ['pt-BR', 'es'] as const) {
    const told = localizeMessages(problems, language);
    expect(told.map(({ path }) => path)).toEqual(problems.map(({ path }) => path));
    expect(told.filter(({ message }) => /\b(?:must|is|NOT)\b/.test(message))).toEqual([]);
  }
  const portuguese = new Map(
    localizeMessages(problems, 'pt-BR').map(({ path, message }) => [path, message]),
  );
  expect(Object.fromEntries(portuguese)).toMatchObject({
    '/missing': 'é obrigatório',
    '/other': 'é desconhecido',
    '/long': 'pode ter no máximo 3 caracteres',
    '/blank': 'não pode ficar em branco',
    '/number': 'precisa ser no máximo 3',
    '/kind': 'precisa ser um destes: a, b',
    '/wrong': 'precisa ser string',
  });
});

test('a message that is not known stays as it is', () => {
  expect(localizeMessage('Invalid syntax', 'es')).toBe('Invalid syntax');
});
