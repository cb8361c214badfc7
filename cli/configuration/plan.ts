/**
 * Plans what makes an installation equal to the files.
 *
 * Names identify records. A plan is made from the current state alone, so an apply that was interrupted goes on when it is
 * repeated: what is already there is not planned again. Must never: change anything.
 */
import type { Inlet } from '../connection/connect.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { idOf, planChange, type Context, type Noun } from './change.ts';
import { changesBetween, withoutNulls } from './difference.ts';
import { markedSettings, type Configuration, type List, type RecordFile } from './files.ts';
import { planWebhook } from './plan-webhook.ts';
import { withSecrets, type Json } from './secrets.ts';
import { readServer, recordState, type RecordRow, type Server } from './server-state.ts';
import { installation, type PlanOptions, type Run, type Step } from './step.ts';

type Named = { readonly name: string; readonly renamedFrom?: string; readonly place: string };
/** Returns the record of the name, or of the former name. */
function match<Row extends { readonly name: string }>(
  rows: readonly Row[],
  { name, renamedFrom, place }: Named,
): Row | undefined {
  const named = rows.filter((row) => row.name === name);
  const former = rows.filter((row) => row.name === renamedFrom);
  const found = named.length > 0 ? named : former;
  if (found.length <= 1) return found[0];
  throw new CommandFailure(
    `${place}: Inlet has several records named ${found[0]?.name}. Rename all but one.`,
  );
}

const operations = {
  channel: ['createChannel', 'updateChannel', 'deleteChannel'],
  'notice target': ['createNoticesTarget', 'updateNoticesTarget', 'deleteNoticesTarget'],
} as const;

const plainFields = ['enabled', 'kinds', 'language', 'quietHours', 'reminderHours'];

/** The fields that the file has. The others are not managed. */
const given = (file: object): Json =>
  Object.fromEntries(Object.entries(file).filter(([field]) => plainFields.includes(field)));

/** A channel or a target of notices. */
function planRecord(noun: keyof typeof operations, file: RecordFile, context: Context): Step[] {
  const { server, options, ids } = context;
  const secrets = server.secretsOf(noun, file.kind);
  const settings = markedSettings(file, secrets, options);
  const rows: readonly RecordRow[] = noun === 'channel' ? server.channels : server.targets;
  const found = match(rows, file);
  if (!found) return planCreation(noun, { file, settings, secrets }, context);
  const { name, kind, webhook, place } = file;
  ids[noun].set(name, found.id);
  if (found.kind !== kind) {
    const text = `the ${noun} ${name} is of the kind ${found.kind}, which cannot change.`;
    throw new CommandFailure(`${place}: ${text}`);
  }
  const webhookId = 'webhookId' in found ? found.webhookId : null;
  if (webhook !== undefined && ids.webhook.get(webhook) !== webhookId) {
    const former = server.webhooks.find(({ id }) => id === webhookId)?.name ?? 'all webhooks';
    const text = `the ${noun} ${name} is for ${former}, which cannot change.`;
    throw new CommandFailure(`${place}: ${text}`);
  }
  const wanted: Json = { name, ...given(file), ...(file.settings && { settings }) };
  const state = recordState(found);
  const current = Object.fromEntries(Object.keys(wanted).map((field) => [field, state[field]]));
  const part = { noun, name, of: noun, id: found.id, current, wanted, file, secrets };
  const params = { id: found.id };
  return planChange(part, ({ inlet, headers }, body) =>
    inlet.call(operations[noun][1], { params, body, headers }),
  );
}

type Creation = {
  readonly file: RecordFile;
  readonly settings: Json;
  readonly secrets: readonly string[];
};

function planCreation(
  noun: keyof typeof operations,
  { file, settings, secrets }: Creation,
  { ids }: Context,
): Step[] {
  const { name, kind, webhook } = file;
  const { enabled = true, ...fields } = given(file);
  const owner = webhook === undefined ? {} : { webhook };
  const changes = changesBetween({}, { kind, ...owner, ...withoutNulls(fields), settings });
  const body = withSecrets({ name, kind, ...fields, settings }, file, secrets);
  const [create, update] = operations[noun];
  const step = { noun, name, notes: [] };
  const run = async ({ inlet }: Run) => {
    const webhookId = webhook === undefined ? {} : { webhookId: idOf(ids.webhook, webhook) };
    const { id } = await inlet.call(create, { body: { ...body, ...webhookId } as never });
    ids[noun].set(name, id);
  };
  const created: Step = { ...step, verb: 'create', changes, run };
  if (enabled) return [created];
  const disable = ({ inlet }: Run) =>
    inlet.call(update, {
      params: { id: idOf(ids[noun], name) },
      body: { enabled: enabled === true },
    });
  const off = [{ path: 'enabled', before: true, after: false }];
  return [created, { ...step, verb: 'change', changes: off, run: disable }];
}

/**
 * Of the lists that the files have. Targets come first, because an archived webhook keeps them, and channels last, because
 * webhooks use them.
 */
function planPruning(server: Server, files: Configuration): Step[] {
  type Row = { readonly name: string; readonly id: string };
  const remove = (
    [list, noun]: readonly [List, Noun],
    rows: readonly Row[],
    operation: 'archiveWebhook' | 'deleteChannel' | 'deleteNoticesTarget',
  ): Step[] => {
    const matched = new Set(files[list].map((file) => match(rows, file)));
    const others = rows.filter((row) => files.lists.has(list) && !matched.has(row));
    return others.map(({ name, id }) => ({
      verb: noun === 'webhook' ? 'archive' : 'delete',
      noun,
      name,
      changes: [],
      notes: [],
      seen: { of: noun, id, value: { name } },
      run: ({ inlet, headers }) => inlet.call(operation, { params: { id }, headers }),
    }));
  };
  return [
    ...remove(['noticeTargets', 'notice target'], server.targets, 'deleteNoticesTarget'),
    ...remove(['webhooks', 'webhook'], server.webhooks, 'archiveWebhook'),
    ...remove(['channels', 'channel'], server.channels, 'deleteChannel'),
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

const idsOf = (rows: readonly { readonly name: string; readonly id: string }[]) =>
  new Map(rows.map(({ name, id }) => [name, id]));

export async function makePlan(
  inlet: Inlet,
  files: Configuration,
  options: PlanOptions,
): Promise<Step[]> {
  const server = await readServer(inlet);
  requireNames(files, server);
  const ids = {
    channel: idsOf(server.channels),
    webhook: idsOf(server.webhooks),
    'notice target': idsOf(server.targets),
  };
  const context = { server, options, ids };
  const steps = files.channels.flatMap((file) => planRecord('channel', file, context));
  for (const file of files.webhooks) {
    const found = match(server.webhooks, file);
    if (found) ids.webhook.set(file.name, found.id);
    steps.push(...(await planWebhook(file, found, context)));
  }
  steps.push(...files.noticeTargets.flatMap((file) => planRecord('notice target', file, context)));
  for (const { rules } of files.noticeRules) {
    const current = { rules: await server.readRules(undefined) };
    const part = { noun: 'notice rules', name: installation, of: 'notice rules' } as const;
    const update = ({ inlet: api, headers }: Run, { rules: body }: Json) =>
      api.call('updateNoticesRules', { body: body as Json, headers });
    steps.push(...planChange({ ...part, id: undefined, current, wanted: { rules } }, update));
  }
  return options.prune ? [...steps, ...planPruning(server, files)] : steps;
}
