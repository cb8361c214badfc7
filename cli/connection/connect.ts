/** Calls Inlet for a command. */
import { createClient, type Client } from '../../client/client.ts';
import { listAll, type Item } from '../../client/pages.ts';
import { withRetries } from '../../client/retry.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { resolveTarget, type Target } from './contexts.ts';

export type Inlet = Client & { readonly target: Target };

export function connectTo(target: Target): Inlet {
  const client = createClient({ baseUrl: target.url, token: () => target.token, language: 'en' });
  return { ...withRetries(client), target };
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
  const all = await listAll(inlet, name);
  const key = isId.test(wanted) ? 'id' : 'name';
  const named = all.filter((one) => (one as Record<string, unknown>)[key] === wanted);
  const live = named.filter((one) => (one as { status?: string }).status !== 'archived');
  const found = live.length > 0 ? live : named;
  const [one] = found;
  const noun = name.replace('list', '').toLowerCase().slice(0, -1);
  if (!one) throw new CommandFailure(`There is no ${noun} ${wanted}.`);
  if (found.length > 1) {
    const ids = found.map((each) => `\n  ${(each as { id: string }).id}`).join('');
    throw new CommandFailure(`${found.length} ${noun}s are named ${wanted}. Use an id:${ids}`);
  }
  return one;
}

/** The id of the webhook with that id or name, as a filter; undefined without one. */
export const webhookIds = async (
  inlet: Inlet,
  wanted: string | undefined,
): Promise<string[] | undefined> =>
  wanted === undefined ? undefined : [(await findOne(inlet, 'listWebhooks', wanted)).id];
