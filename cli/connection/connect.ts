/**
 * Calls Inlet for a command.
 *
 * Promises: a call that Inlet turns away for now is repeated, a bounded number of times. A change is repeated under one
 * `Idempotency-Key`, so that it happens once.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createClient,
  InletError,
  type Answer,
  type Client,
  type Operation,
  type Read,
  type Request,
} from '../../client/client.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { resolveTarget, type Target } from './contexts.ts';

const maxTries = 5;
const timeoutMs = 60_000;
const maxPauseMs = 60_000;

export type Inlet = Client & { readonly target: Target };

type Given = Request<Operation> & { readonly headers?: Readonly<Record<string, string>> };

/** How long to wait before the next try; null when a repetition cannot help. */
function retryPauseMs(error: unknown, tries: number): number | null {
  if (tries >= maxTries) return null;
  const usualMs = Math.random() * 250 * 2 ** tries;
  if (!(error instanceof InletError)) return error instanceof TypeError ? usualMs : null;
  const isTemporary = error.status === 429 || error.status === 503;
  const isInProgress = error.status === 409 && error.retryAfterMs !== null;
  if (!isTemporary && !isInProgress) return null;
  const askedMs = error.retryAfterMs ?? usualMs;
  return askedMs > maxPauseMs ? null : Math.max(askedMs, usualMs);
}

export function connectTo(target: Target): Inlet {
  const client = createClient({ baseUrl: target.url, token: () => target.token, language: 'en' });

  async function read<Name extends Operation>(
    name: Name,
    request: Request<Name>,
  ): Promise<Read<Name>> {
    const { headers } = request as Given;
    const once = { 'idempotency-key': randomUUID(), ...headers };
    for (let tries = 0; ; tries += 1) {
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        return await client.read(name, { ...request, headers: once, signal } as Request<Name>);
      } catch (error) {
        const pauseMs = retryPauseMs(error, tries);
        if (pauseMs === null) throw error;
        await pause(pauseMs);
      }
    }
  }

  return {
    target,
    read,
    call: async (name, request) => (await read(name, request)).data,
    open: (name, request) => client.open(name, request),
  };
}

export const connect = ({ context }: { readonly context?: string }): Inlet =>
  connectTo(resolveTarget(context));

const perPage = 200;
const isId = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

type Items = {
  readonly listChannels: Answer<'getChannel'>;
  readonly listWebhooks: Answer<'getWebhook'>;
  readonly listTokens: Answer<'getToken'>;
  readonly listNoticesTargets: Answer<'getNoticesTarget'>;
};
type ListOperation = keyof Items;

/** Every item of a list, in the order of creation, so that what is created while they are read comes last. */
export async function listAll<Name extends ListOperation>(
  inlet: Inlet,
  name: Name,
): Promise<Items[Name][]> {
  const items: Items[Name][] = [];
  for (let page = 1; ; page += 1) {
    const query = { current_page: page, per_page: perPage, sort_by: 'createdAt' };
    const answer = await inlet.call<ListOperation>(name, { query } as Request<ListOperation>);
    items.push(...(answer.results as Items[Name][]));
    if (answer.results.length < perPage) return items;
  }
}

/** The one item with that id or name. Archived webhooks count only if no other has the name. */
export async function findOne<Name extends ListOperation>(
  inlet: Inlet,
  name: Name,
  wanted: string,
): Promise<Items[Name]> {
  const all = await listAll(inlet, name);
  const key = isId.test(wanted) ? 'id' : 'name';
  const named = all.filter((one) => one[key] === wanted);
  const live = named.filter((one) => !('status' in one && one.status === 'archived'));
  const found = live.length > 0 ? live : named;
  const [one] = found;
  const noun = name.replace('list', '').toLowerCase().slice(0, -1);
  if (!one) throw new CommandFailure(`There is no ${noun} ${wanted}.`);
  if (found.length > 1) {
    const ids = found.map(({ id }) => `\n  ${id}`).join('');
    throw new CommandFailure(`${found.length} ${noun}s are named ${wanted}. Use an id:${ids}`);
  }
  return one;
}
