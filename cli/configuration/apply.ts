/**
 * Carries a plan out, step by step.
 *
 * Promises: the secret URL of a new webhook is given away before the next step, so that a crash cannot lose it later.
 */
import { appendFileSync, closeSync, fchmodSync, openSync, readFileSync } from 'node:fs';
import type { Request } from '../../client/client.ts';
import type { Inlet } from '../connection/connect.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { printLine } from '../terminal/output.ts';
import type { Plan, Step } from './plan.ts';
import type { Version } from './server-state.ts';

export type NewUrl = { readonly webhook: string; readonly id: string; readonly url: string };

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
  readonly channels: Map<string, string>;
  readonly webhooks: Map<string, string>;
  readonly saved: Map<string, number>;
  readonly giveUrl: (one: NewUrl) => void;
};

const idOf = (ids: ReadonlyMap<string, string>, name: string): string => {
  const id = ids.get(name);
  if (id === undefined) throw new CommandFailure(`${name} does not exist any more. Apply again.`);
  return id;
};

async function carryOut(state: State, { name, id: known, action }: Step): Promise<void> {
  const { inlet, channels, webhooks, saved } = state;
  const webhook = () => ({ params: { id: known ?? idOf(webhooks, name) } });
  const channel = () => ({ params: { id: known ?? idOf(channels, name) } });
  switch (action.kind) {
    case 'create-channel': {
      const body = action.body as Request<'createChannel'>['body'];
      channels.set(name, (await inlet.call('createChannel', { body })).id);
      return;
    }
    case 'update-channel':
      channels.set(
        name,
        (await inlet.call('updateChannel', { ...channel(), body: action.body })).id,
      );
      return;
    case 'create-webhook': {
      const body = { name, channelId: idOf(channels, action.channel) };
      const { id, url } = await inlet.call('createWebhook', { body });
      webhooks.set(name, id);
      state.giveUrl({ webhook: name, id, url });
      return;
    }
    case 'update-webhook': {
      const channelId = action.channel && idOf(channels, action.channel);
      const body = {
        ...(action.newName && { name: action.newName }),
        ...(channelId && { channelId }),
      };
      await inlet.call('updateWebhook', { ...webhook(), body });
      return;
    }
    case 'update-settings':
      await inlet.call('updateWebhookSettings', { ...webhook(), body: action.body });
      return;
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
      await inlet.call('activateWebhookMapping', { params: { ...webhook().params, version } });
      return;
    }
    case 'archive-webhook':
      await inlet.call('archiveWebhook', webhook());
      return;
    case 'delete-channel':
      await inlet.call('deleteChannel', channel());
  }
}

type Hooks = { readonly giveUrl: (one: NewUrl) => void; readonly onDone: (step: Step) => void };

export async function carryOutPlan(inlet: Inlet, plan: Plan, hooks: Hooks): Promise<void> {
  const { server, steps } = plan;
  const state: State = {
    inlet,
    channels: new Map(server.channels.map(({ name, id }) => [name, id])),
    webhooks: new Map(),
    saved: new Map(),
    giveUrl: hooks.giveUrl,
  };
  for (const step of steps) {
    await carryOut(state, step);
    hooks.onDone(step);
  }
}
