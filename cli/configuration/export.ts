/**
 * Writes all that an installation has as configuration files. What is empty or has its default value is written too, because
 * what a file leaves out is not managed. Secrets become references to variables that must then be set.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import type { Inlet } from '../connection/connect.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { schemaText } from './files.ts';
import { replaceAt, webhookSecrets, type Json } from './secrets.ts';
import { readServer, recordState, type RecordRow, type Server } from './server-state.ts';

const schemaFile = 'inlet.schema.json';

const variableOf = (...parts: readonly string[]): string =>
  parts
    .join('_')
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_')
    .toUpperCase();
const reference = (...parts: readonly string[]): string => `\${env:${variableOf(...parts)}}`;

/** A channel or target. */
function recordOf(row: RecordRow, more: Json = {}): Json {
  const { name, kind, secretsSet } = row;
  const { name: _name, settings, ...fields } = recordState(row);
  const secrets = secretsSet.map((secret): [string, unknown] => [
    secret,
    secret === 'headers' ? { 'X-Api-Key': reference(name, secret) } : reference(name, secret),
  ]);
  const all = { ...(settings as Json), ...Object.fromEntries(secrets) };
  return { name, kind, ...more, ...fields, settings: all };
}

async function webhookOf(
  server: Server,
  webhook: Server['webhooks'][number],
  channel: string,
): Promise<Json> {
  const { name } = webhook;
  const read = await server.readSettings(webhook.id);
  const settings = webhookSecrets.reduce(
    (all, path) =>
      replaceAt(all, path, (mark) => {
        const count = /\d+/.exec(String(mark))?.[0];
        if (count === undefined) return reference(name, path.split('.')[1] ?? '');
        return Array.from({ length: Number(count) }, (_one, index) =>
          reference(name, 'secret', String(index + 1)),
        );
      }),
    read,
  );
  const { active, newest } = await server.readVersions(webhook);
  const mapping = (active ?? newest)?.mapping;
  const noticeRules = await server.readRules(webhook.id);
  return {
    name,
    channel,
    settings,
    noticeRules,
    ...(mapping && { mapping }),
  };
}

/** File names by their names in lower case, numbered where two are alike. */
function fileNameOf(name: string, taken: Set<string>): string {
  const plain =
    variableOf(name).toLowerCase().replaceAll('_', '-').replaceAll(/^-|-$/g, '') || 'webhook';
  let unique = plain;
  for (let number = 2; taken.has(unique); number += 1) unique = `${plain}-${number}`;
  taken.add(unique);
  return `${unique}.yaml`;
}

/** The text of each file by its path, and the names of the archived webhooks, which are left out. */
export async function exportFiles(inlet: Inlet) {
  const server = await readServer(inlet);
  const taken = new Set<string>();
  const names = new Map(server.channels.map(({ id, name }) => [id, name]));
  const text = (depth: string, value: object) =>
    `# yaml-language-server: $schema=${depth}${schemaFile}\n${stringify(value, { lineWidth: 120 })}`;
  const files = new Map([[schemaFile, schemaText()]]);
  files.set('channels.yaml', text('./', { channels: server.channels.map((row) => recordOf(row)) }));
  const noticeRules = await server.readRules(undefined);
  const webhookNames = new Map(server.webhooks.map(({ id, name }) => [id, name]));
  const noticeTargets = server.targets.map((row) => {
    const webhook = row.webhookId === null ? undefined : webhookNames.get(row.webhookId);
    return recordOf(row, webhook === undefined ? {} : { webhook });
  });
  files.set('notices.yaml', text('./', { noticeRules, noticeTargets }));
  if (server.webhooks.length === 0) files.set('webhooks.yaml', text('./', { webhooks: [] }));
  for (const webhook of server.webhooks) {
    const shown = await webhookOf(
      server,
      webhook,
      names.get(webhook.channelId) ?? webhook.channelId,
    );
    files.set(
      join('webhooks', fileNameOf(webhook.name, taken)),
      text('../', { webhooks: [shown] }),
    );
  }
  return { files, archived: server.archived };
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
    throw new CommandFailure(
      `${folder} has ${names} already. Repeat with --force to replace.`,
      'usage',
    );
  }
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
