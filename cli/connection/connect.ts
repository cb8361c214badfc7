/** Calls Inlet for a command. */
import { createClient, type Client } from '../../client/client.ts';
import { listAll, type Item } from '../../client/pages.ts';
import { withRetries, type RetryOptions } from '../../client/retry.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { note } from '../terminal/output.ts';
import { resolveTarget, type Target } from './contexts.ts';

export type Inlet = Client & { readonly target: Target };

/** The rate limit of the API asks for waits that a person would notice. */
function onPause(ms: number): void {
  if (ms >= 2_000) note(`Inlet asks to wait: ${Math.ceil(ms / 1_000)} s.`);
}

/** Repeats what Inlet asks to repeat, unless told otherwise. */
export function connectTo(target: Target, retries: RetryOptions = { onPause }): Inlet {
  const client = createClient({ baseUrl: target.url, token: () => target.token, language: 'en' });
  return { ...withRetries(client, retries), target };
}

export const connect = (context: string | undefined): Inlet => connectTo(resolveTarget(context));

const isId = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

type NamedList = 'listChannels' | 'listWebhooks' | 'listTokens';

/** The one item with that id or name. Archived webhooks count only if no other has the name. */
export async function findOne<Name extends NamedList>(
  inlet: Inlet,
  name: Name,
  wanted: string,
): Promise<Item<Name>> {
  type Named = Item<Name> & {
    readonly id: string;
    readonly name: string;
    readonly status?: string;
  };
  const all = (await listAll(inlet, name)) as Named[];
  const named = all.filter((one) => (isId.test(wanted) ? one.id : one.name) === wanted);
  const live = named.filter(({ status }) => status !== 'archived');
  const [one, ...others] = live.length > 0 ? live : named;
  const noun = name.replace('list', '').toLowerCase().slice(0, -1);
  if (!one) throw new CommandFailure(`There is no ${noun} ${wanted}.`);
  if (others.length === 0) return one;
  const ids = [one, ...others].map(({ id }) => `\n  ${id}`).join('');
  const text = `${others.length + 1} ${noun}s are named ${wanted}. Use an id:`;
  throw new CommandFailure(`${text}${ids}`);
}

/** The id of the webhook with that id or name, as a filter; undefined without one. */
export const webhookIds = async (
  inlet: Inlet,
  wanted: string | undefined,
): Promise<string[] | undefined> =>
  wanted === undefined ? undefined : [(await findOne(inlet, 'listWebhooks', wanted)).id];
