/**
 * Plans what makes an installation equal to the files.
 *
 * Names identify records. A plan is made from the current state alone, so an apply that was interrupted continues when it is
 * repeated: what is already there is not planned again. Must never: change anything.
 */
import type { Request } from '../../client/client.ts';
import type { Inlet } from '../connection/connect.ts';
import { CommandFailure, misuse } from '../terminal/failure.ts';
import { readFile } from '../terminal/input.ts';
import { changesBetween, isSame, mergePatchOf, pick, withoutNulls } from './difference.ts';
import type { Configuration, Entry } from './files.ts';
import { kinds, nouns, type Noun, type Part } from './kinds.ts';
import { fillVariables, isObject, mapTree, secretMark, type Json } from './secrets.ts';
import type { Row, Server } from './server.ts';
import type { PlanOptions, Run, Step } from './step.ts';

/** Events that an activation is compared over. */
const comparedEvents = 100;

const archivedNote =
  'An archived webhook has this name. It stays archived; restore it first to go on with its URL and its events.';

type Mapping = Request<'createWebhookMapping'>['body']['mapping'];
type Context = {
  readonly inlet: Inlet;
  readonly server: Server;
  readonly files: Configuration;
  readonly options: PlanOptions;
  /** By name. Those of new records are added when they are created. */
  readonly ids: Readonly<Record<Noun, Map<string, string | undefined>>>;
};

/** Returns the record of the name, or of the former name. */
function match(rows: readonly Row[], entry: Entry): Row | undefined {
  const named = rows.filter((row) => row.name === entry.name);
  const found = named.length > 0 ? named : rows.filter((row) => row.name === entry.renamedFrom);
  if (found.length <= 1) return found[0];
  const text = `Inlet has several records named ${found[0]?.name}. Rename all but one.`;
  throw new CommandFailure(`${entry.place}: ${text}`);
}

/** The fields of the file with the variables of all settings but the secrets filled in, and marks in the place of secrets. */
function wantedOf({ noun, name, fields, secrets, place }: Entry, options: PlanOptions): Json {
  const marked = mapTree(fields, (value, pointer) => {
    if (secrets.includes(pointer)) return `${secretMark(value)}${options.secrets ? ' again' : ''}`;
    const isText = pointer.startsWith('/settings/') && typeof value === 'string';
    return isText ? fillVariables(value, place) : undefined;
  });
  const { settings } = marked;
  const normal = kinds[noun].normal.settings as Json | undefined;
  return { ...marked, name, ...(isObject(settings) && { settings: { ...normal, ...settings } }) };
}

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((found, name) => (found as Json)[name], value);

/** What is sent, with the values of the environment in the place of the marks. */
const withSecrets = (body: Json, { fields, secrets, place }: Entry): Json =>
  mapTree(body, (value, pointer) =>
    secrets.includes(pointer) && value !== null
      ? fillVariables(valueAt(fields, pointer), place)
      : undefined,
  );

const references = ['channel', 'webhook'] as const;

/** Throws where a file names a channel or webhook that neither a file nor the server has. */
function requireReferences(entry: Entry, { ids, files }: Context): void {
  for (const noun of references) {
    const wanted = entry.fields[noun] as string | undefined;
    if (wanted === undefined || ids[noun].has(wanted)) continue;
    if (files.entries.some((one) => one.noun === noun && one.name === wanted)) continue;
    const text = `the ${noun} ${wanted} of ${entry.name} does not exist.`;
    throw misuse(`${entry.place}: ${text}`);
  }
}

const idOf = ({ ids }: Context, noun: Noun, name: string): string => {
  const id = ids[noun].get(name);
  if (id === undefined) throw new CommandFailure(`${name} does not exist any more. Apply again.`);
  return id;
};

/** A body with ids in the place of names. */
const withIds = (body: Json, context: Context): Json =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => {
      const noun = references.find((one) => one === field);
      return noun ? [`${noun}Id`, idOf(context, noun, value as string)] : [field, value];
    }),
  );

type Planned = {
  readonly entry: Entry;
  readonly wanted: Json;
  /** Absent: it does not exist yet. */
  readonly row: Row | undefined;
  readonly context: Context;
};

function planCreation({ entry, wanted, context }: Planned): Step {
  const { noun, name } = entry;
  const { fixed, parts, normal } = kinds[noun];
  const fields = [...fixed, ...parts[0].fields].filter((field) => !(field in normal));
  const { name: _, ...shown } = withoutNulls(pick(wanted, fields));
  const body = withSecrets(withoutNulls(pick(wanted, fields)), entry);
  const isArchived = noun === 'webhook' && context.server.archived.includes(name);
  const run = async ({ inlet, deliverUrl }: Run) => {
    const given = { body: withIds(body, context) as never };
    const { id, url } = await inlet.call(`create${parts[0].record}` as 'createWebhook', given);
    context.ids[noun].set(name, id);
    if (url) deliverUrl({ webhook: name, id, url });
  };
  const notes = isArchived ? [archivedNote] : [];
  const changes = changesBetween({}, shown);
  return { verb: 'create', noun: parts[0].noun, name, changes, notes, run };
}

/** Changes the fields of the part that the file has and that differ. */
function planChange(part: Part, current: Json, { entry, wanted, row, context }: Planned): Step[] {
  const fields = part.fields.filter((field) => wanted[field] !== undefined);
  const [before, after] = [pick(current, fields), pick(wanted, fields)];
  const changes = changesBetween(before, after);
  if (changes.length === 0) return [];
  const { noun, name } = entry;
  const patch = withSecrets(mergePatchOf(before, after), entry);
  const [field = '', ...others] = part.fields;
  const run = ({ inlet, headers }: Run) =>
    inlet.call(`update${part.record}` as 'updateChannel', {
      params: { id: noun === 'installation' ? '' : idOf(context, noun, name) },
      body: (others.length === 0 ? patch[field] : withIds(patch, context)) as Json,
      headers,
    });
  const seen = row && { part, id: row.id, value: before };
  return [{ verb: 'change', noun: part.noun, name, changes, notes: [], seen, run }];
}

/** At once, so that a file that is not there shows before a change. */
function planSample({ entry, row, context }: Planned): Step[] {
  const { name, fields } = entry;
  if (fields.sample === undefined || row?.configured?.webhook.setup.sample) return [];
  const body = { rawBody: readFile(fields.sample as string).toString('utf8') };
  const run = ({ inlet }: Run) =>
    inlet.call('createWebhookSample', { params: { id: idOf(context, 'webhook', name) }, body });
  return [{ verb: 'add', noun: 'sample', name, changes: [], notes: [], run }];
}

type FileKey = Request<'importWebhookKey'>['body'];

/** Keys of the file that the webhook does not have and that are not expired. Others stay, because senders use them. */
async function planKeys({ entry, row, context }: Planned): Promise<Step[]> {
  const { name } = entry;
  const keys = (entry.fields.keys ?? []) as readonly FileKey[];
  if (keys.length === 0) return [];
  const present = row?.id === undefined ? [] : await readHashes(context.inlet, row.id);
  return keys
    .filter(({ hash, expiresAt }) => {
      const isExpired = Boolean(expiresAt) && Date.parse(expiresAt ?? '') <= Date.now();
      return !isExpired && !present.includes(hash);
    })
    .map((key): Step => {
      const run = ({ inlet }: Run) =>
        inlet.call('importWebhookKey', {
          params: { id: idOf(context, 'webhook', name) },
          body: key,
        });
      const notes = [`The URL whose key ends with ${key.lastFour} works here then.`];
      return { verb: 'add', noun: 'key', name, changes: [], notes, run };
    });
}

async function readHashes(inlet: Inlet, id: string): Promise<readonly string[]> {
  const { keys } = await inlet.call('getWebhookKeyHashes', { params: { id } });
  return keys.map(({ hash }) => hash);
}

/** A new version if the mapping is neither the active nor the newest one, and its activation. */
async function planMapping({ entry, row, context }: Planned): Promise<Step[]> {
  const { name, fields } = entry;
  if (!fields.mapping) return [];
  const mapping = fields.mapping as Mapping;
  const { webhook, active, newest } = row?.configured ?? {};
  let version = [active, newest].find((one) => isSame(one?.mapping, mapping))?.version;
  const params = () => ({ id: idOf(context, 'webhook', name) });
  const steps: Step[] = [];
  if (version === undefined) {
    const run = async ({ inlet }: Run) => {
      const created = { params: params(), body: { mapping } };
      ({ version } = await inlet.call('createWebhookMapping', created));
    };
    const changes = changesBetween(newest?.mapping ?? {}, mapping);
    steps.push({ verb: 'add', noun: 'mapping', name, changes, notes: [], run });
  }
  const isActive = version !== undefined && version === active?.version;
  if (!context.options.activate || isActive) return steps;
  const value = row && pick(row.state(), ['activeVersion', 'isPaused']);
  const notes = [
    ...(value?.isPaused ? ['It stays paused: events are held until it is resumed.'] : []),
    ...(webhook && active ? [await describeEffect(context.inlet, webhook.id, mapping)] : []),
  ];
  const seen = value && { part: kinds.webhook.parts[0], id: row.id, value };
  const run = ({ inlet, headers }: Run) => {
    const activated = { ...params(), version: String(version) };
    return inlet.call('activateWebhookMapping', { params: activated, headers });
  };
  return [...steps, { verb: 'activate', noun: 'version', name, changes: [], notes, seen, run }];
}

async function describeEffect(inlet: Inlet, id: string, mapping: Mapping): Promise<string> {
  const body = { mapping, last: comparedEvents };
  const { counts } = await inlet.call('diffWebhookMappings', { params: { id }, body });
  const { same, changed, newlyFailing, newlyPassing } = counts;
  const total = same + changed + newlyFailing + newlyPassing;
  if (total === 0) return 'There is no event to compare it over.';
  const broken = `${newlyFailing} would fail now, ${newlyPassing} would no longer fail`;
  return `Of the last ${total} results ${same} would stay the same, ${changed} would change, ${broken}.`;
}

async function planEntry(entry: Entry, context: Context): Promise<Step[]> {
  const { noun, name } = entry;
  const { fixed, parts, normal } = kinds[noun];
  requireReferences(entry, context);
  const wanted = wantedOf(entry, context.options);
  const row = match(context.server.rows[noun], entry);
  const planned = { entry, wanted, row, context };
  const current = row?.state() ?? { ...wanted, ...normal };
  if (row?.id !== undefined) {
    context.ids[noun].set(name, row.id);
    context.server.names.set(row.id, name);
  }
  const changed = fixed.find(
    (field) => wanted[field] !== undefined && wanted[field] !== current[field],
  );
  if (changed) {
    const is = `is ${changed === 'kind' ? 'of the kind' : 'for'} ${(current[changed] as string | undefined) ?? 'all webhooks'}`;
    throw new CommandFailure(`${entry.place}: the ${noun} ${name} ${is}, which cannot change.`);
  }
  return [
    ...(row ? [] : [planCreation(planned)]),
    ...parts.flatMap((part) => planChange(part, current, planned)),
    ...planSample(planned),
    ...(await planMapping(planned)),
    // Last: before its mapping is active, a webhook takes requests as samples.
    ...(await planKeys(planned)),
  ];
}

/**
 * Of the lists that the files have. Targets come first, because an archived webhook keeps them, and channels last, because
 * webhooks use them.
 */
function planPruning({ server, files }: Context): Step[] {
  return nouns.toReversed().flatMap((noun) => {
    const { removal: verb, parts } = kinds[noun];
    if (!verb || !files.listed.has(noun)) return [];
    const entries = files.entries.filter((one) => one.noun === noun);
    const matched = new Set(entries.map((entry) => match(server.rows[noun], entry)));
    const operation = `${verb}${parts[0].record}` as 'deleteChannel';
    return server.rows[noun].flatMap((row): Step[] => {
      if (matched.has(row)) return [];
      const { id = '', name } = row;
      const run = ({ inlet, headers }: Run) => inlet.call(operation, { params: { id }, headers });
      const seen = { part: parts[0], id, value: { name } };
      return [{ verb, noun: parts[0].noun, name, changes: [], notes: [], seen, run }];
    });
  });
}

export async function createPlan(
  inlet: Inlet,
  server: Server,
  { files, options }: Pick<Context, 'files' | 'options'>,
): Promise<Step[]> {
  const idsOf = (noun: Noun) => new Map(server.rows[noun].map(({ name, id }) => [name, id]));
  const ids = Object.fromEntries(nouns.map((noun) => [noun, idsOf(noun)])) as Context['ids'];
  const context = { inlet, server, files, options, ids };
  const steps: Step[] = [];
  for (const noun of nouns) {
    for (const entry of files.entries.filter((one) => one.noun === noun)) {
      steps.push(...(await planEntry(entry, context)));
    }
  }
  return options.prune ? [...steps, ...planPruning(context)] : steps;
}
