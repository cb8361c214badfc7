/**
 * Plans what makes an installation equal to the files.
 *
 * Names identify records. A plan is made from the current state alone, so an apply that was interrupted goes on when it is
 * repeated: what is already there is not planned again. Must never: change anything.
 */
import { findVersion, readServer, type Server } from './server-state.ts';
import type { Inlet } from '../connection/connect.ts';
import { CommandFailure } from '../terminal/failure.ts';
import type { ChannelFile, Configuration, WebhookFile } from './files.ts';
import { plainSettings } from './files.ts';
import { changesBetween, mergePatchOf, withoutNulls, type Change } from './difference.ts';
import {
  fillVariables,
  replaceAt,
  secretMark,
  valueAt,
  webhookSecrets,
  type Json,
} from './secrets.ts';

export type Step = {
  readonly verb: 'create' | 'change' | 'add' | 'activate' | 'archive' | 'delete';
  readonly noun: 'channel' | 'webhook' | 'sample' | 'mapping' | 'version';
  readonly name: string;
  /** Absent: the plan creates the record. */
  readonly id?: string;
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  readonly action: Action;
};

/** What a step does, as data: apply.ts carries it out. */
export type Action =
  | { readonly kind: 'create-channel'; readonly body: Json }
  | { readonly kind: 'update-channel'; readonly body: Json }
  | { readonly kind: 'create-webhook'; readonly channel: string }
  | { readonly kind: 'update-webhook'; readonly newName?: string; readonly channel?: string }
  | { readonly kind: 'update-settings'; readonly body: Json }
  | { readonly kind: 'add-sample'; readonly file: string }
  | { readonly kind: 'save-mapping'; readonly mapping: Json }
  | { readonly kind: 'activate'; readonly version: number | null }
  | { readonly kind: 'archive-webhook' }
  | { readonly kind: 'delete-channel' };

export type PlanOptions = {
  readonly prune: boolean;
  readonly activate: boolean;
  /** Secrets are sent again, although whether they differ cannot be seen. */
  readonly secrets: boolean;
};

export type Plan = { readonly steps: readonly Step[]; readonly server: Server };

/** Returns the record of the name, or of the former name. */
export function match<Row extends { readonly name: string }>(
  rows: readonly Row[],
  { name, renamedFrom, place }: { name: string; renamedFrom?: string; place: string },
): Row | undefined {
  const named = rows.filter((row) => row.name === name);
  const former = rows.filter((row) => row.name === renamedFrom);
  if (named.length > 1 || (named.length === 0 && former.length > 1)) {
    const several = named.length > 1 ? name : renamedFrom;
    throw new CommandFailure(
      `${place}: Inlet has several records named ${several}. Rename all but one.`,
    );
  }
  return named[0] ?? former[0];
}

/** Replaces secrets by marks on both sides, so that only whether they are set is compared. */
function markSecrets(settings: Json, secrets: readonly string[], isSentAgain: boolean): Json {
  const mark = (value: unknown) => (isSentAgain ? `${secretMark(value)} again` : secretMark(value));
  return secrets.reduce((marked, path) => replaceAt(marked, path, mark), settings);
}

/** Puts the values of the environment in the place of the marks of a patch. */
const withSecrets = (
  patch: Json,
  file: ChannelFile | WebhookFile,
  secrets: readonly string[],
): Json =>
  secrets.reduce(
    (filled, path) =>
      replaceAt(filled, path, () => fillVariables(valueAt(file.settings, path), file.place)),
    patch,
  );

function planChannel(server: Server, file: ChannelFile, options: PlanOptions): Step[] {
  const secrets = server.secretsOf(file.kind);
  const wanted = {
    name: file.name,
    enabled: file.enabled ?? true,
    settings: markSecrets(plainSettings(file, secrets), secrets, options.secrets),
  };
  const found = match(server.channels, file);
  const step = { noun: 'channel', name: file.name, id: found?.id, notes: [] } as const;
  if (!found) {
    const settings = withSecrets(wanted.settings, file, secrets);
    const action = {
      kind: 'create-channel',
      body: { name: file.name, kind: file.kind, settings },
    } as const;
    const changes = changesBetween({}, { kind: file.kind, settings: wanted.settings });
    const created: Step = { ...step, verb: 'create', changes, action };
    if (wanted.enabled) return [created];
    const body = { enabled: false };
    const off = [{ path: 'enabled', before: true, after: false }];
    return [
      created,
      { ...step, verb: 'change', changes: off, action: { kind: 'update-channel', body } },
    ];
  }
  if (found.kind !== file.kind) {
    throw new CommandFailure(
      `${file.place}: the channel ${file.name} is of the kind ${found.kind}, which cannot change.`,
    );
  }
  const marks = Object.fromEntries(found.secretsSet.map((name) => [name, secretMark(null)]));
  const { name, enabled } = found;
  const current = {
    name,
    enabled,
    settings: { ...withoutNulls(found.settings as Json), ...marks },
  };
  const changes = changesBetween(current, wanted);
  if (changes.length === 0) return [];
  const { settings, ...rest } = mergePatchOf(current, wanted);
  const filled =
    settings === undefined ? {} : { settings: withSecrets(settings as Json, file, secrets) };
  const action = { kind: 'update-channel', body: { ...rest, ...filled } } as const;
  return [{ ...step, verb: 'change', changes, action }];
}

type Context = {
  readonly server: Server;
  readonly options: PlanOptions;
  /** The names of channels by id, after the plan. */
  readonly channelNames: ReadonlyMap<string, string>;
};

/** Its creation, or a new name or channel. */
function planOwnFields(file: WebhookFile, { server, channelNames }: Context): Step[] {
  const { name, channel } = file;
  const found = match(server.webhooks, file);
  const step = { noun: 'webhook', name, id: found?.id, notes: [] } as const;
  if (!found) {
    const action = { kind: 'create-webhook', channel } as const;
    return [{ ...step, verb: 'create', changes: [{ path: 'channel', after: channel }], action }];
  }
  const current = { name: found.name, channel: channelNames.get(found.channelId) };
  const changes = changesBetween(current, { name, channel });
  if (changes.length === 0) return [];
  const differs = (path: string) => changes.some((one) => one.path === path);
  const change = {
    ...(differs('name') && { newName: name }),
    ...(differs('channel') && { channel }),
  };
  return [{ ...step, verb: 'change', changes, action: { kind: 'update-webhook', ...change } }];
}

async function planWebhook(file: WebhookFile, context: Context): Promise<Step[]> {
  const { server, options } = context;
  const found = match(server.webhooks, file);
  const step = { noun: 'webhook', name: file.name, id: found?.id, notes: [] } as const;
  const steps = planOwnFields(file, context);
  const state = found && (await server.readWebhook(found));
  const settings = { producerProfile: 'generic', ...plainSettings(file, webhookSecrets) };
  const marked = markSecrets(settings, webhookSecrets, options.secrets);
  const current = state?.settings ?? { producerProfile: 'generic' };
  const changes = changesBetween({ settings: current }, { settings: marked });
  const body = withSecrets(mergePatchOf(current, marked), file, webhookSecrets);
  if (changes.length > 0) {
    steps.push({ ...step, verb: 'change', changes, action: { kind: 'update-settings', body } });
  }
  if (file.sample !== undefined && !found?.setup.sample) {
    const action = { kind: 'add-sample', file: file.sample } as const;
    steps.push({ ...step, noun: 'sample', verb: 'add', changes: [], action });
  }
  return [...steps, ...(await planMapping(file, context))];
}

async function planMapping(file: WebhookFile, { server, options }: Context): Promise<Step[]> {
  const { mapping, name } = file;
  if (!mapping) return [];
  const found = match(server.webhooks, file);
  const versions = found ? await server.readVersions(found) : { active: null, newest: null };
  const same = findVersion(versions, mapping);
  const step = { name, id: found?.id };
  const steps: Step[] = [];
  if (same === null) {
    const changes = changesBetween((versions.newest?.mapping ?? {}) as Json, mapping);
    const action = { kind: 'save-mapping', mapping } as const;
    steps.push({ ...step, verb: 'add', noun: 'mapping', changes, notes: [], action });
  }
  const isActive = same !== null && same === found?.activeVersion;
  if (!options.activate || isActive) return steps;
  const notes = [
    ...(found?.status === 'paused' ? ['It is paused: the activation resumes it.'] : []),
    ...(found && versions.active ? [await server.effectOf(found, mapping)] : []),
  ];
  const action = { kind: 'activate', version: same } as const;
  return [...steps, { ...step, verb: 'activate', noun: 'version', changes: [], notes, action }];
}

function planPruning(server: Server, { channels, webhooks }: Configuration): Step[] {
  const keptOf = (
    rows: readonly { name: string }[],
    files: Configuration['channels' | 'webhooks'],
  ) => new Set(files.map((file) => match(rows, file)).filter((row) => row !== undefined));
  const keptWebhooks = keptOf(server.webhooks, webhooks);
  const keptChannels = keptOf(server.channels, channels);
  const step = { changes: [], notes: [] };
  const archived = server.webhooks.filter((one) => !keptWebhooks.has(one));
  const deleted = server.channels.filter((one) => !keptChannels.has(one));
  return [
    ...archived.map(({ name, id }): Step => ({
      ...step,
      verb: 'archive',
      noun: 'webhook',
      name,
      id,
      action: { kind: 'archive-webhook' },
    })),
    ...deleted.map(({ name, id }): Step => ({
      ...step,
      verb: 'delete',
      noun: 'channel',
      name,
      id,
      action: { kind: 'delete-channel' },
    })),
  ];
}

export async function makePlan(
  inlet: Inlet,
  files: Configuration,
  options: PlanOptions,
): Promise<Plan> {
  const server = await readServer(inlet);
  const names = new Set([...files.channels, ...server.channels].map(({ name }) => name));
  for (const { name, channel, place } of files.webhooks) {
    if (names.has(channel)) continue;
    throw new CommandFailure(
      `${place}: the channel ${channel} of ${name} does not exist.`,
      'usage',
    );
  }
  const steps = files.channels.flatMap((file) => planChannel(server, file, options));
  const channelNames = new Map(server.channels.map(({ id, name }) => [id, name]));
  for (const file of files.channels) {
    const found = match(server.channels, file);
    if (found) channelNames.set(found.id, file.name);
  }
  const context = { server, options, channelNames };
  for (const file of files.webhooks) steps.push(...(await planWebhook(file, context)));
  if (options.prune) steps.push(...planPruning(server, files));
  return { steps, server };
}
