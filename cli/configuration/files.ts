/**
 * Reads configuration files: YAML that the schema of the API accepts.
 *
 * Promises: every problem is reported at once, each with file and line. A secret that stands in a file is a problem.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { LineCounter, parseDocument, type Document } from 'yaml';
import { CommandFailure } from '../terminal/failure.ts';
import schema from './inlet.schema.json' with { type: 'json' };
import { fillVariables, replaceAt, secretMark, type Json } from './secrets.ts';

type Named = {
  readonly name: string;
  readonly renamedFrom?: string;
  /** The file and line. */
  readonly place: string;
};
/** A channel or a target of notices. */
export type RecordFile = Named & {
  readonly kind: string;
  readonly settings?: Json;
  /** Of a target. */
  readonly webhook?: string;
};
export type WebhookFile = Named & {
  readonly channel: string;
  readonly settings?: Json;
  readonly mapping?: Json;
  readonly noticeRules?: Json;
  /** The path of a payload. */
  readonly sample?: string;
};
export type Configuration = {
  readonly channels: readonly RecordFile[];
  readonly webhooks: readonly WebhookFile[];
  readonly noticeTargets: readonly RecordFile[];
  /** The rules of the installation; empty if no file has them. */
  readonly noticeRules: readonly { readonly rules: Json; readonly place: string }[];
  /** The lists that some file has, be they empty. Records of the others are not managed. */
  readonly lists: ReadonlySet<List>;
};
const listNames = ['channels', 'webhooks', 'noticeTargets'] as const;
export type List = (typeof listNames)[number];
const nothing: Configuration = {
  channels: [],
  webhooks: [],
  noticeTargets: [],
  noticeRules: [],
  lists: new Set(),
};

const maxFiles = 2_000;
const maxBytes = 4 * 1_024 * 1_024;
/** As many records as the lists of an installation are read for. */
const maxProblems = 20;

function filesIn(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new CommandFailure(`There is no file or folder ${path}.`, 'usage');
  if (found.isFile()) return [path];
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name) && !/(?:^|[\\/])(?:node_modules|\.)/.test(name))
    .map((name) => join(path, name))
    .sort();
  if (files.length === 0) throw new CommandFailure(`${path} has no .yaml file.`, 'usage');
  if (files.length > maxFiles) throw new CommandFailure(`${path} has too many files.`, 'usage');
  return files;
}

/** Compiled on first use: every other command starts without it. */
let compiled: ReturnType<typeof createCheck> | undefined;
const createCheck = () =>
  new Ajv2020({
    allErrors: true,
    strict: false,
    verbose: true,
    validateFormats: false,
  }).compile<Partial<Record<List, Json[]>> & { noticeRules?: Json }>(schema);

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

function readFile(file: string, problems: string[]): Configuration {
  if (statSync(file).size > maxBytes) throw new CommandFailure(`${file} is too large.`, 'usage');
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines });
  const shown = relative(process.cwd(), file) || file;
  const source = { file: shown, document, lines };
  problems.push(
    ...document.errors.map(
      ({ message, pos }) => `${shown}:${lines.linePos(pos[0]).line}: ${message.split('\n', 1)[0]}`,
    ),
  );
  if (document.errors.length > 0) return nothing;
  const value = (document.toJS() ?? {}) as unknown;
  const check = (compiled ??= createCheck());
  if (!check(value)) {
    problems.push(...describeProblems(source, check.errors ?? []));
    return nothing;
  }
  const placed = (list: List) =>
    (value[list] ?? []).map((one, index) => ({ ...one, place: placeOf(source, [list, index]) }));
  const webhooks = placed('webhooks').map((one: Json) =>
    typeof one.sample === 'string' ? { ...one, sample: join(dirname(file), one.sample) } : one,
  );
  const { noticeRules: rules } = value;
  return {
    channels: placed('channels') as unknown as RecordFile[],
    webhooks: webhooks as unknown as WebhookFile[],
    noticeTargets: placed('noticeTargets') as unknown as RecordFile[],
    noticeRules: rules ? [{ rules, place: placeOf(source, ['noticeRules']) }] : [],
    lists: new Set(listNames.filter((name) => value[name] !== undefined)),
  };
}

/** Names identify records, so one name stands once. */
function duplicateProblems(noun: string, all: readonly Named[]): string[] {
  const places = new Map<string, string>();
  return all.flatMap(({ name, place }) => {
    const other = places.get(name);
    places.set(name, place);
    return other === undefined ? [] : [`${place}: the ${noun} ${name} is also in ${other}`];
  });
}

export function readConfiguration(path: string): Configuration {
  const problems: string[] = [];
  const parts = filesIn(path).map((file) => readFile(file, problems));
  const channels = parts.flatMap((part) => part.channels);
  const webhooks = parts.flatMap((part) => part.webhooks);
  const noticeTargets = parts.flatMap((part) => part.noticeTargets);
  const noticeRules = parts.flatMap((part) => part.noticeRules);
  const ofInstallation = noticeRules.map(({ place }) => ({ name: 'of the installation', place }));
  problems.push(
    ...duplicateProblems('channel', channels),
    ...duplicateProblems('webhook', webhooks),
    ...duplicateProblems('notice target', noticeTargets),
    ...duplicateProblems('notice rules', ofInstallation),
  );
  if (problems.length > 0) {
    const more = problems.length - maxProblems;
    const shown = problems.slice(0, maxProblems).join('\n');
    throw new CommandFailure(more > 0 ? `${shown}\n… and ${more} more` : shown, 'usage');
  }
  const lists = new Set(parts.flatMap((part) => [...part.lists]));
  return { channels, webhooks, noticeTargets, noticeRules, lists };
}

/** The settings, with the variables of everything but the secrets filled in, and marks in the place of secrets. */
export function markedSettings(
  { settings = {}, place }: { readonly settings?: Json; readonly place: string },
  secrets: readonly string[],
  options: { readonly secrets?: boolean },
): Json {
  const tops = new Set(secrets.map((path) => path.split('.', 1)[0]));
  const filled = Object.entries(settings).map(([name, value]) => [
    name,
    tops.has(name) ? value : fillVariables(value, place),
  ]);
  const mark = (value: unknown) => `${secretMark(value)}${options.secrets ? ' again' : ''}`;
  return secrets.reduce<Json>(
    (marked, path) => replaceAt(marked, path, mark),
    Object.fromEntries(filled),
  );
}

export const schemaText = (): string => `${JSON.stringify(schema, null, 2)}\n`;
