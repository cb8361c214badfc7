/**
 * Reads configuration files: YAML that the schema of the API accepts.
 *
 * Promises: every problem is reported at once, each with file and line. A secret in a file is a problem.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { LineCounter, parseDocument, type Document } from 'yaml';
import { misuse } from '../terminal/failure.ts';
import schema from './inlet.schema.json' with { type: 'json' };
import { kinds, nouns, type Noun } from './kinds.ts';
import { isObject, type Json } from './secrets.ts';

/** A record of a file. */
export type Entry = {
  readonly noun: Noun;
  /** Empty for the installation. */
  readonly name: string;
  readonly renamedFrom?: string;
  /** The file and line. */
  readonly place: string;
  readonly fields: Json;
  /** Pointers into the fields. */
  readonly secrets: readonly string[];
};
export type Configuration = {
  readonly entries: readonly Entry[];
  /** The nouns whose list is in a file, even if it is empty. Records of the others are not managed. */
  readonly listed: ReadonlySet<Noun>;
};

/** An export has one for each webhook. */
const maxFiles = 20_000;
const maxBytes = 4 * 1_024 * 1_024;
const maxProblems = 20;

export function filesIn(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw misuse(`There is no file or folder ${path}.`);
  if (found.isFile()) return [path];
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name) && !/(?:^|[\\/])(?:node_modules|\.)/.test(name))
    .map((name) => join(path, name))
    .sort();
  if (files.length === 0) throw misuse(`${path} has no .yaml file.`);
  if (files.length > maxFiles) throw misuse(`${path} has too many files.`);
  return files;
}

/**
 * Compiled on first use: every other command starts without it. These options take 150 ms of CPU time instead of 350: a test
 * checks the schema against its meta schema, and definitions that occur often are not copied into each place.
 */
let compiled: ReturnType<typeof createCheck> | undefined;
function createCheck() {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    verbose: true,
    validateFormats: false,
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  let secrets: string[] = [];
  ajv.removeKeyword('writeOnly').addKeyword({
    keyword: 'writeOnly',
    schema: false,
    validate: (_value: unknown, at?: { readonly instancePath: string }) =>
      secrets.push(at?.instancePath ?? '') > 0,
  });
  const check = ajv.compile<Json>(schema);
  /** The problems, and pointers to the secrets of the value. */
  return (value: unknown) => {
    secrets = [];
    return { errors: check(value) ? [] : (check.errors ?? []), secrets };
  };
}

type Source = {
  readonly file: string;
  readonly document: Document;
  readonly lines: LineCounter;
};

function placeOf({ file, document, lines }: Source, path: readonly (string | number)[]): string {
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true) as { range?: [number] } | undefined;
    if (node?.range) return `${file}:${lines.linePos(node.range[0]).line}`;
  }
  return file;
}

const unhelpful = new Set(['if', 'anyOf', 'oneOf', 'allOf']);

/** Of a value with alternatives only the other problems help, if there are any. */
function describeProblems(source: Source, errors: readonly ErrorObject[]): string[] {
  const helpful = errors.filter(({ keyword }) => !unhelpful.has(keyword));
  const lines = (helpful.length > 0 ? helpful : errors).map((error) => {
    const { instancePath, keyword, params, parentSchema } = error;
    const path = instancePath.split('/').slice(1);
    const steps = path.map((step) => (/^\d+$/.test(step) ? Number(step) : unescaped(step)));
    const isSecret = (parentSchema as Json | undefined)?.title === 'Secret';
    const name: unknown = params.additionalProperty;
    const text =
      isSecret && keyword === 'pattern' ? 'is a secret: write it as ${env:NAME}' : error.message;
    const what = typeof name === 'string' ? `has the unknown field ${name}` : text;
    return `${placeOf(source, steps)}: ${steps.join('.') || 'the file'} ${what}`;
  });
  return [...new Set(lines)];
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

type Read = { readonly entries: readonly Entry[]; readonly listed: readonly Noun[] };

function readFile(file: string, problems: string[]): Read {
  if (statSync(file).size > maxBytes) throw misuse(`${file} is too large.`);
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines });
  const source = { file: relative(process.cwd(), file) || file, document, lines };
  const faults = document.errors.map(({ message, pos }) => {
    const { line } = lines.linePos(pos[0]);
    return `${source.file}:${line}: ${message.split('\n', 1)[0]}`;
  });
  const value = (faults.length > 0 ? {} : (document.toJS() ?? {})) as Json;
  const { errors, secrets } = (compiled ??= createCheck())(value);
  faults.push(...describeProblems(source, errors));
  problems.push(...faults);
  if (faults.length > 0) return { entries: [], listed: [] };
  const listed = nouns.filter((noun) => value[kinds[noun].list] !== undefined);
  const entries = listed.flatMap((noun) => {
    const { list } = kinds[noun];
    const records = value[list] as Json | Json[];
    const isOne = isObject(records);
    return (isOne ? [{ [list]: records }] : records).map((one, index): Entry => {
      const { renamedFrom, name = '', ...fields } = one as Json & Partial<Entry>;
      const { sample } = fields;
      const root = isOne ? '' : `/${list}/${index}`;
      return {
        noun,
        name,
        ...(renamedFrom !== undefined && { renamedFrom }),
        place: placeOf(source, isOne ? [list] : [list, index]),
        fields:
          typeof sample === 'string' ? { ...fields, sample: join(dirname(file), sample) } : fields,
        secrets: secrets.flatMap((at) => (at.startsWith(`${root}/`) ? at.slice(root.length) : [])),
      };
    });
  });
  return { entries, listed };
}

/** Names identify records, so a name may occur once. */
function duplicateProblems(entries: readonly Entry[]): string[] {
  const places = new Map<string, string>();
  return entries.flatMap(({ noun, name, place }) => {
    const title = name === '' ? 'notice rules of the installation' : `${noun} ${name}`;
    const other = places.get(title);
    places.set(title, place);
    return other === undefined ? [] : [`${place}: the ${title} is also in ${other}`];
  });
}

export function readConfiguration(path: string): Configuration {
  const problems: string[] = [];
  const files = filesIn(path).map((file) => readFile(file, problems));
  const entries = files.flatMap((file) => file.entries);
  problems.push(...duplicateProblems(entries));
  if (problems.length > 0) {
    const more = problems.length - maxProblems;
    const shown = problems.slice(0, maxProblems).join('\n');
    throw misuse(more > 0 ? `${shown}\n… and ${more} more` : shown);
  }
  return { entries, listed: new Set(files.flatMap(({ listed }) => listed)) };
}

export const schemaText = (): string => `${JSON.stringify(schema, null, 2)}\n`;
