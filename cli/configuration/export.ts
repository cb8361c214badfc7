/**
 * Writes all that an installation has as configuration files. What is empty or has its default value is written too, because
 * what a file leaves out is not managed. Secrets become references to variables that must then be set.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import type { Inlet } from '../connection/connect.ts';
import { misuse } from '../terminal/failure.ts';
import { schemaText } from './files.ts';
import { pick, withoutNulls } from './difference.ts';
import { kinds, nouns, type Noun } from './kinds.ts';
import { mapTree, type Json } from './secrets.ts';
import { readServer, type Row } from './server.ts';

const schemaFile = 'inlet.schema.json';

const variableOf = (...parts: readonly string[]): string =>
  parts
    .join('_')
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_')
    .toUpperCase();

/** Returns a text that was not taken before: numbered where it was. */
function uniqueText(text: string, mark: string, taken: Set<string>): string {
  let unique = text;
  for (let number = 2; taken.has(unique); number += 1) unique = `${text}${mark}${number}`;
  taken.add(unique);
  return unique;
}

type Reference = (noun: Noun, name: string, ...field: readonly string[]) => string;

/** Names that differ only in what a variable cannot have are told apart by a hash, so that no other record changes a variable. */
const isPlain = (name: string): boolean => /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/.test(name);
const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 8);

/** Returns a function that makes references to variables, each to another one. */
function createReferences(rows: Readonly<Record<Noun, readonly Row[]>>): Reference {
  const counts = new Map<string, number>();
  const count: Reference = (_noun, name, ...field) => {
    const variable = variableOf(name, ...field);
    if (isPlain(name)) counts.set(variable, (counts.get(variable) ?? 0) + 1);
    return variable;
  };
  for (const noun of nouns) for (const row of rows[noun]) fieldsOf(noun, row, count);
  return (noun, name, ...field) => {
    const plain = variableOf(name, ...field);
    const isUnique = isPlain(name) && counts.get(plain) === 1;
    return `\${env:${isUnique ? plain : variableOf(name, hashOf(noun, name), ...field)}}`;
  };
}

/** The fields of a record, with variables in the place of secrets. */
function fieldsOf(noun: Noun, { name, state, secrets }: Row, reference: Reference): Json {
  const { fixed, parts } = kinds[noun];
  const names = ['name', ...fixed, ...parts.flatMap(({ fields }) => fields), 'mapping'];
  return mapTree(pick(state(), names), (value, pointer) => {
    if (!secrets.includes(pointer) || value === undefined) return undefined;
    const field = pointer.split('/').at(-1) ?? '';
    if (field === 'headers') return { 'X-Api-Key': reference(noun, name, field) };
    if (field !== 'secrets') return reference(noun, name, field);
    const count = Number(/\d+/.exec(value as string)?.[0]);
    return Array.from({ length: count }, (_, index) =>
      reference(noun, name, 'secret', String(index + 1)),
    );
  });
}

/** File names by their names in lower case, numbered where two are alike. */
function fileNameOf(name: string, taken: Set<string>): string {
  const plain =
    variableOf(name).toLowerCase().replaceAll('_', '-').replaceAll(/^-|-$/g, '') || 'webhook';
  return `${uniqueText(plain, '-', taken)}.yaml`;
}

/** Returns the webhooks with the hashes of their valid path keys, so that an apply elsewhere keeps the URLs. One request each. */
async function withKeys(
  inlet: Inlet,
  webhooks: readonly Json[],
  rows: readonly Row[],
): Promise<readonly Json[]> {
  const found: Json[] = [];
  for (const [index, webhook] of webhooks.entries()) {
    const params = { id: rows[index]?.id ?? '' };
    const { keys } = await inlet.call('getWebhookKeyHashes', { params });
    found.push({ ...webhook, keys: keys.map(withoutNulls) });
  }
  return found;
}

/** The text of each file by its path, and the names of the archived webhooks, which are left out. */
export async function exportFiles(inlet: Inlet, options: { readonly keys: boolean }) {
  const { rows, archived } = await readServer(inlet);
  const taken = new Set<string>();
  const reference = createReferences(rows);
  const files = new Map([[schemaFile, schemaText()]]);
  const add = (name: string, value: object) => {
    const schema = `${dirname(name) === '.' ? './' : '../'}${schemaFile}`;
    const text = stringify(value, { lineWidth: 120 });
    files.set(name, `# yaml-language-server: $schema=${schema}\n${text}`);
  };
  const [channels = [], plain = [], noticeTargets = [], [installation] = []] = nouns.map((noun) =>
    rows[noun].map((row) => fieldsOf(noun, row, reference)),
  );
  const webhooks = options.keys ? await withKeys(inlet, plain, rows.webhook) : plain;
  add('channels.yaml', { channels });
  add('notices.yaml', { ...installation, noticeTargets });
  if (webhooks.length === 0) add('webhooks.yaml', { webhooks });
  for (const one of webhooks) {
    add(join('webhooks', fileNameOf(one.name as string, taken)), { webhooks: [one] });
  }
  return { files, archived };
}

/** Throws before it writes anything when a file exists already, unless it may be replaced. */
export function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  force: boolean,
): void {
  const existing = [...files.keys()].filter((name) => existsSync(join(folder, name)));
  if (existing.length > 0 && !force) {
    const names = existing.slice(0, 5).join(', ');
    throw misuse(`${folder} has ${names} already. Repeat with --force to replace.`);
  }
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
