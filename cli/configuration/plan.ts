/**
 * Plans what makes an installation equal to the files.
 *
 * Names identify records. A plan is made from the current state alone, so an apply that was interrupted goes on when it is
 * repeated: what is already there is not planned again. Must never: change anything.
 */
import type { Inlet } from '../connection/connect.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { changesBetween, mergePatchOf } from './difference.ts';
import {
  plainSettings,
  type Configuration,
  type List,
  type TargetFile,
  type WebhookFile,
} from './files.ts';
import { markSecrets, planRecord, withSecrets } from './plan-record.ts';
import { webhookSecrets, type Json } from './secrets.ts';
import { findVersion, isPaused, readServer, type Server } from './server-state.ts';
import { installation, type PlanOptions, type Step } from './step.ts';

export type Plan = { readonly steps: readonly Step[]; readonly server: Server };

/** Returns the record of the name, or of the former name. */
function match<Row extends { readonly name: string }>(
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

type Context = {
  readonly server: Server;
  readonly options: PlanOptions;
  /** The names of channels by id, after the plan. */
  readonly channelNames: ReadonlyMap<string, string>;
};

const archivedNote =
  'An archived webhook has this name. It stays archived; restore it first to go on with its URL and its events.';

/** Its creation, or a new name or channel. */
function planOwnFields(file: WebhookFile, { server, channelNames }: Context): Step[] {
  const { name, channel } = file;
  const found = match(server.webhooks, file);
  const step = { noun: 'webhook', name, id: found?.id, notes: [] } as const;
  if (!found) {
    const action = { kind: 'create-webhook', channel } as const;
    const changes = [{ path: 'channel', after: channel }];
    const notes = server.archived.includes(name) ? [archivedNote] : [];
    return [{ ...step, verb: 'create', changes, notes, action }];
  }
  const current = { name: found.name, channel: channelNames.get(found.channelId) };
  const changes = changesBetween(current, { name, channel });
  if (changes.length === 0) return [];
  const differs = (path: string) => changes.some((one) => one.path === path);
  const change = {
    ...(differs('name') && { newName: name }),
    ...(differs('channel') && { channel }),
  };
  const seen = { of: 'webhook', value: { name: found.name, channelId: found.channelId } } as const;
  const action = { kind: 'update-webhook', ...change } as const;
  return [{ ...step, verb: 'change', changes, seen, action }];
}

async function planWebhook(file: WebhookFile, context: Context): Promise<Step[]> {
  const { server } = context;
  const found = match(server.webhooks, file);
  const step = { noun: 'webhook', name: file.name, id: found?.id, notes: [] } as const;
  const steps = planOwnFields(file, context);
  if (file.settings) steps.push(...(await planSettings(file, context)));
  if (file.sample !== undefined && !found?.setup.sample) {
    const action = { kind: 'add-sample', file: file.sample } as const;
    steps.push({ ...step, noun: 'sample', verb: 'add', changes: [], action });
  }
  if (file.noticeRules) {
    steps.push(...(await planRules(server, { ...step, rules: file.noticeRules })));
  }
  return [...steps, ...(await planMapping(file, context))];
}

async function planSettings(file: WebhookFile, { server, options }: Context): Promise<Step[]> {
  const found = match(server.webhooks, file);
  const current = found ? await server.readSettings(found.id) : { producerProfile: 'generic' };
  const settings = { producerProfile: 'generic', ...plainSettings(file, webhookSecrets) };
  const marked = markSecrets(settings, webhookSecrets, options);
  const changes = changesBetween({ settings: current }, { settings: marked });
  if (changes.length === 0) return [];
  const body = withSecrets(mergePatchOf(current, marked), file, webhookSecrets);
  const seen = found && ({ of: 'settings', value: { settings: current } } as const);
  const action = { kind: 'update-settings', body } as const;
  const step = { noun: 'webhook', name: file.name, id: found?.id, notes: [] } as const;
  return [{ ...step, verb: 'change', changes, seen, action }];
}

type Rules = { readonly name: string; readonly id?: string | undefined; readonly rules: Json };

/** Rules of notices of a webhook, or of the installation. */
async function planRules(server: Server, { name, id, rules }: Rules): Promise<Step[]> {
  const isNew = name !== installation && id === undefined;
  const current = isNew ? {} : await server.readRules(id);
  const changes = changesBetween(current, rules);
  if (changes.length === 0) return [];
  const seen = isNew ? undefined : ({ of: 'notice rules', value: { rules: current } } as const);
  const action = { kind: 'update-rules', body: mergePatchOf(current, rules) } as const;
  return [{ verb: 'change', noun: 'notice rules', name, id, changes, notes: [], seen, action }];
}

function planTarget(file: TargetFile, { server, options }: Context): Step[] {
  const { webhook } = file;
  const found = match(server.targets, file);
  const former = server.webhooks.find(({ id }) => id === found?.webhookId)?.name;
  if (found && webhook !== undefined && former !== webhook) {
    throw new CommandFailure(
      `${file.place}: the notice target ${file.name} is for ${former ?? 'all webhooks'}, which cannot change.`,
    );
  }
  const secrets = server.targetSecretsOf(file.kind);
  return planRecord({ noun: 'notice target', file, found, secrets, webhook }, options);
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
    ...(found && isPaused(found) ? ['It is paused: the activation resumes it.'] : []),
    ...(found && versions.active ? [await server.effectOf(found, mapping)] : []),
  ];
  const action = { kind: 'activate', version: same } as const;
  const value = found && { activeVersion: found.activeVersion, isPaused: isPaused(found) };
  const seen = value && ({ of: 'webhook', value } as const);
  return [
    ...steps,
    { ...step, verb: 'activate', noun: 'version', changes: [], notes, seen, action },
  ];
}

/**
 * Of the lists that the files have. Targets come first, because an archived webhook keeps them, and channels last, because
 * webhooks use them.
 */
function planPruning(server: Server, files: Configuration): Step[] {
  const { channels, targets, webhooks } = server;
  type Row = { readonly name: string; readonly id: string };
  const others = (rows: readonly Row[], list: List) => {
    const matched = new Set(files[list].map((file) => match(rows, file)));
    return rows.filter((row) => files.lists.has(list) && !matched.has(row));
  };
  const remove = ({ name, id }: Row, noun: 'channel' | 'webhook' | 'notice target'): Step => ({
    verb: noun === 'webhook' ? 'archive' : 'delete',
    noun,
    name,
    id,
    changes: [],
    notes: [],
    seen: { of: noun, value: { name } },
    action: { kind: 'remove' },
  });
  return [
    ...others(targets, 'noticeTargets').map((row) => remove(row, 'notice target')),
    ...others(webhooks, 'webhooks').map((row) => remove(row, 'webhook')),
    ...others(channels, 'channels').map((row) => remove(row, 'channel')),
  ];
}

/** Throws where a file names a channel or webhook that neither a file nor the server has. */
function requireNames({ channels, webhooks, noticeTargets }: Configuration, server: Server): void {
  const known = (...lists: readonly (readonly { name: string }[])[]) =>
    new Set(lists.flat().map(({ name }) => name));
  const channelNames = known(channels, server.channels);
  const webhookNames = known(webhooks, server.webhooks);
  const missing = [
    ...webhooks.map(({ channel, ...one }) => ({ ...one, noun: 'channel', wanted: channel })),
    ...noticeTargets.map(({ webhook, ...one }) => ({ ...one, noun: 'webhook', wanted: webhook })),
  ].find(
    ({ noun, wanted }) =>
      wanted !== undefined && !(noun === 'channel' ? channelNames : webhookNames).has(wanted),
  );
  if (!missing) return;
  const { place, noun, wanted, name } = missing;
  throw new CommandFailure(`${place}: the ${noun} ${wanted} of ${name} does not exist.`, 'usage');
}

export async function makePlan(
  inlet: Inlet,
  files: Configuration,
  options: PlanOptions,
): Promise<Plan> {
  const server = await readServer(inlet);
  requireNames(files, server);
  const channelNames = new Map(server.channels.map(({ id, name }) => [id, name]));
  const steps = files.channels.flatMap((file) => {
    const found = match(server.channels, file);
    if (found) channelNames.set(found.id, file.name);
    const secrets = server.secretsOf(file.kind);
    return planRecord({ noun: 'channel', file, found, secrets }, options);
  });
  const context = { server, options, channelNames };
  for (const file of files.webhooks) steps.push(...(await planWebhook(file, context)));
  steps.push(...files.noticeTargets.flatMap((file) => planTarget(file, context)));
  for (const { rules } of files.noticeRules) {
    steps.push(...(await planRules(server, { name: installation, rules })));
  }
  if (options.prune) steps.push(...planPruning(server, files));
  return { steps, server };
}
