// Reads the final state through the API, with the counts of the database for comparison.
import { maxTotal } from '../../../../src/store/db/queries.ts';
import type { Api } from '../cluster/retrying-api.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Chat, Contact, Message } from '../../../support/processes/client.ts';

export type ObservedEvent = {
  readonly id: string;
  readonly webhookId: string;
  readonly externalId: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly mappingVersion: number;
  readonly deliveries: number;
  readonly receivedAt: string;
  readonly payload: {
    readonly text?: string;
    readonly leads?: readonly { text: string }[];
    /** It kills each worker that takes it. */
    readonly poison?: true;
  } | null;
  readonly timeline: readonly {
    readonly at: string;
    readonly state: string;
    readonly reason: string | null;
  }[];
  readonly parentId: string | null;
  readonly items: number | null;
  readonly effects: { contactId: string; chatId: string; messageId: string } | null;
};

export type ObservedContact = Contact & { readonly fields: Readonly<Record<string, string>> };
export type ObservedChat = Chat & {
  readonly worker: { readonly id: string };
  readonly messages: readonly Message[];
};

export type ObservedState = {
  readonly events: readonly ObservedEvent[];
  readonly contacts: readonly ObservedContact[];
  readonly chats: readonly ObservedChat[];
  /** Totals by the API and counts by the database, of the same things. */
  readonly counts: readonly { readonly what: string; readonly api: number; readonly db: number }[];
  /** Identity conflicts; these people cause none. */
  readonly conflicts: number;
};

const atOnce = 8;
/** Before all events. */
const from = '1970-01-01T00:00:00Z';

export async function observeState(api: Api, cluster: Cluster): Promise<ObservedState> {
  const listed = await api.all<{ id: string; state: string }>('/v1/admin/events?parents=true');
  const events = await together(listed.results, async ({ id }) => {
    const { data } = await api.callUntilAnswered<ObservedEvent>('GET', `/v1/admin/events/${id}`);
    return data;
  });
  const contacts = await api.all<ObservedContact>('/v1/chat/contacts');
  const open = await api.all<Omit<ObservedChat, 'messages'>>('/v1/chat?status=my_chats');
  const closed = await api.all<Omit<ObservedChat, 'messages'>>('/v1/chat?status=closed');
  const chats = await together([...open.results, ...closed.results], async (chat) => {
    const { results } = await api.all<Message>(`/v1/chat/${chat.chat_id}`);
    return { ...chat, messages: results };
  });
  const { db } = cluster;
  const count = (name: string, filter = {}) => db.collection(name).countDocuments(filter);
  const messages = chats.reduce((sum, chat) => sum + chat.messages.length, 0);
  const counts = [
    { what: 'events', api: listed.total, db: await count('events') },
    { what: 'chats', api: open.total + closed.total, db: await count('chats') },
    { what: 'messages', api: messages, db: await count('messages') },
    {
      what: 'contacts',
      api: contacts.total,
      db: await count('contacts', { mergedInto: { $exists: false }, gone: { $exists: false } }),
    },
  ];
  for (const state of ['done', 'ignored', 'dead', 'discarded', 'received', 'waiting']) {
    const { data } = await api.callUntilAnswered<{ pagings: { total: number } }>(
      'GET',
      // The list of done events needs a range.
      `/v1/admin/events?parents=true&per_page=1&state=${state}&from=${from}`,
    );
    counts.push({
      what: `events that are ${state}`,
      api: data.pagings.total,
      db: Math.min(maxTotal, await count('events', { state })),
    });
  }
  return {
    events,
    contacts: contacts.results,
    chats,
    counts,
    conflicts: await count('conflicts'),
  };
}

async function together<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  async function lane(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as Item);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}
