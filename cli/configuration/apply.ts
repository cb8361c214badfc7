/**
 * Carries a plan out, step by step.
 *
 * Promises: the secret URL of a new webhook is given away before the next step, so that a crash cannot lose it later. A
 * record that is not as the plan saw it is not changed.
 */
import { appendFileSync, closeSync, fchmodSync, openSync, readFileSync } from 'node:fs';
import { InletError, type Request } from '../../client/client.ts';
import type { Inlet } from '../connection/connect.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { printLine } from '../terminal/output.ts';
import type { Plan } from './plan.ts';
import { tagIfSame, type Version } from './server-state.ts';
import { installation, type Step } from './step.ts';

type NewUrl = { readonly webhook: string; readonly id: string; readonly url: string };

/** Appends secret URLs to a file that only its owner can read. Opened at once, so that a mistake shows before a change. */
export function openUrlFile(path: string): (one: NewUrl) => void {
  const file = openSync(path, 'a', 0o600);
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
  return (one) => appendFileSync(path, `${JSON.stringify(one)}\n`);
}

export const printUrl = (one: NewUrl): void => printLine(one);

type State = {
  readonly inlet: Inlet;
  /** Ids by name, by the noun of the step. */
  readonly ids: Readonly<Record<'channel' | 'webhook' | 'notice target', Map<string, string>>>;
  readonly saved: Map<string, number>;
  readonly giveUrl: (one: NewUrl) => void;
};

const idOf = (ids: ReadonlyMap<string, string>, name: string): string => {
  const id = ids.get(name);
  if (id === undefined) throw new CommandFailure(`${name} does not exist any more. Apply again.`);
  return id;
};

export const titleOf = ({ verb, noun, name }: Step): string => {
  if (noun === 'channel' || noun === 'webhook' || noun === 'notice target')
    return `${verb} ${noun} ${name}`;
  return `${verb} ${noun} of ${name === installation ? 'the installation' : `webhook ${name}`}`;
};

const changedMeanwhile = (step: Step): CommandFailure =>
  new CommandFailure(
    `"${titleOf(step)}" was not done: somebody changed it on the server after the difference was shown. Apply again to see the new difference.`,
    'changed',
  );

/** The record must be what the plan saw, also at the moment of the change. */
async function preconditionOf(inlet: Inlet, step: Step): Promise<Record<string, string>> {
  if (!step.seen) return {};
  const tag = await tagIfSame(inlet, step.id, step.seen);
  if (tag === null) throw changedMeanwhile(step);
  return { 'if-match': tag };
}

async function carryOut(state: State, step: Step): Promise<void> {
  const { inlet, ids, saved } = state;
  const { name, id, action } = step;
  const headers = await preconditionOf(inlet, step);
  const webhook = () => ({ params: { id: id ?? idOf(ids.webhook, name) }, headers });
  switch (action.kind) {
    case 'create':
    case 'update':
    case 'remove':
      return changeRecord(state, step, headers);
    case 'create-webhook': {
      const body = { name, channelId: idOf(ids.channel, action.channel) };
      const created = await inlet.call('createWebhook', { body });
      ids.webhook.set(name, created.id);
      state.giveUrl({ webhook: name, id: created.id, url: created.url });
      return;
    }
    case 'update-webhook': {
      const channelId = action.channel && idOf(ids.channel, action.channel);
      const body = {
        ...(action.newName && { name: action.newName }),
        ...(channelId && { channelId }),
      };
      await inlet.call('updateWebhook', { ...webhook(), body });
      ids.webhook.set(name, webhook().params.id);
      return;
    }
    case 'update-settings':
      await inlet.call('updateWebhookSettings', { ...webhook(), body: action.body });
      return;
    case 'update-rules': {
      const { body } = action;
      if (name === installation) await inlet.call('updateNoticesRules', { body, headers });
      else await inlet.call('updateWebhookNoticeRules', { ...webhook(), body });
      return;
    }
    case 'add-sample': {
      const rawBody = readFileSync(action.file, 'utf8');
      await inlet.call('createWebhookSample', { ...webhook(), body: { rawBody } });
      return;
    }
    case 'save-mapping': {
      const body = { mapping: action.mapping as Version['mapping'] };
      const { version } = await inlet.call('createWebhookMapping', { ...webhook(), body });
      saved.set(name, version);
      return;
    }
    case 'activate': {
      const version = String(action.version ?? saved.get(name));
      const { params } = webhook();
      await inlet.call('activateWebhookMapping', { params: { ...params, version }, headers });
    }
  }
}

const operations = {
  channel: ['createChannel', 'updateChannel', 'deleteChannel'],
  'notice target': ['createNoticesTarget', 'updateNoticesTarget', 'deleteNoticesTarget'],
} as const;

/** Creates, changes or removes a channel or target; archives a webhook. */
async function changeRecord(
  { inlet, ids }: State,
  { name, noun, id, action }: Step,
  headers: Record<string, string>,
): Promise<void> {
  if (noun === 'webhook') {
    await inlet.call('archiveWebhook', { params: { id: id ?? idOf(ids.webhook, name) }, headers });
    return;
  }
  if (noun !== 'channel' && noun !== 'notice target') return;
  const [create, update, remove] = operations[noun];
  if (action.kind === 'create') {
    const webhookId = action.webhook && idOf(ids.webhook, action.webhook);
    const body = { ...action.body, ...(webhookId && { webhookId }) };
    ids[noun].set(
      name,
      (await inlet.call(create, { body } as unknown as Request<typeof create>)).id,
    );
    return;
  }
  const params = { id: id ?? idOf(ids[noun], name) };
  if (action.kind === 'update') {
    await inlet.call(update, { params, body: action.body, headers });
    ids[noun].set(name, params.id);
  } else await inlet.call(remove, { params, headers });
}

type Hooks = { readonly giveUrl: (one: NewUrl) => void; readonly onDone: (step: Step) => void };

const idsOf = (rows: readonly { readonly name: string; readonly id: string }[]) =>
  new Map(rows.map(({ name, id }) => [name, id]));

export async function carryOutPlan(inlet: Inlet, plan: Plan, hooks: Hooks): Promise<void> {
  const { server, steps } = plan;
  const ids = {
    channel: idsOf(server.channels),
    webhook: idsOf(server.webhooks),
    'notice target': idsOf(server.targets),
  };
  const state: State = { inlet, ids, saved: new Map(), giveUrl: hooks.giveUrl };
  for (const step of steps) {
    try {
      await carryOut(state, step);
    } catch (error) {
      const isChanged = error instanceof InletError && error.status === 412;
      throw isChanged ? changedMeanwhile(step) : error;
    }
    hooks.onDone(step);
  }
}
