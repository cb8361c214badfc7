// What the stand-ins received and what Inlet says about it, read after everything has ended.
import type { DeliveryState, ReportedState } from '../../../../src/domain/messages/delivery.ts';
import type { Api } from '../cluster/retrying-api.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { ObservedChat, ObservedContact, ObservedState } from '../checker/observed-state.ts';
import type { InjectedFault } from '../load/ledger.ts';
import { channelNames, type ChannelName, type OutboundChannels } from './channels.ts';
import type { DestinationLedger } from './ledger.ts';
import type { NoticeFacts, NoticeTargets } from './notices.ts';
import type { Arrival } from './stand-ins.ts';

export type ObservedDelivery = {
  readonly id: string;
  readonly chatId: string;
  readonly text: string;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly attempts: number;
  readonly createdAt: number;
  /** Null while it is open. */
  readonly finishedAt: number | null;
  readonly externalId: string | null;
  readonly reported: ReportedState | null;
};

/** An event of a channel's webhook: a message, a status, or a body of several. */
type ObservedPost = {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  /** The service's id of the sent message, if it is a status. */
  readonly statusOf: string | null;
};

export type ChannelFacts = {
  readonly arrivals: readonly Arrival[];
  readonly deliveries: readonly ObservedDelivery[];
  readonly chats: readonly ObservedChat[];
  readonly contacts: readonly ObservedContact[];
  readonly posts: readonly ObservedPost[];
};

export type DestinationFacts = {
  readonly channels: Readonly<Record<ChannelName, ChannelFacts>>;
  readonly ledger: DestinationLedger;
  /** Those of processes, databases and networks. */
  readonly faults: readonly InjectedFault[];
  readonly leaseMs: number;
  readonly notices: NoticeFacts;
};

type Listed = {
  readonly id: string;
  readonly chatId: string;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly finishedAt: string | null;
};

type Stored = {
  readonly _id: string;
  readonly content: { readonly message: string };
  readonly delivery: { readonly externalId?: string; readonly reported?: ReportedState };
};

/** The deliveries by the API, with the ids and reports that only the database has. */
async function readDeliveries(
  api: Api,
  { db }: Pick<Cluster, 'db'>,
  channelId: string,
): Promise<ObservedDelivery[]> {
  const { results } = await api.all<Listed>(`/v1/admin/deliveries?channelId=${channelId}`);
  const where = { channelId, delivery: { $exists: true } };
  const documents = await db.collection<Stored>('messages').find(where).toArray();
  const stored = new Map(documents.map((one) => [one._id, one]));
  if (stored.size !== results.length)
    throw new Error(`${stored.size} deliveries are stored, and ${results.length} are listed.`);
  return results.map(({ id, createdAt, finishedAt, ...rest }) => ({
    ...rest,
    id,
    text: stored.get(id)?.content.message ?? '',
    createdAt: Date.parse(createdAt),
    finishedAt: finishedAt === null ? null : Date.parse(finishedAt),
    externalId: stored.get(id)?.delivery.externalId ?? null,
    reported: stored.get(id)?.delivery.reported ?? null,
  }));
}

type Payload = { readonly id?: unknown; readonly status?: unknown } | null;

const statusOfPayload = (payload: Payload): string | null =>
  payload?.status === undefined ? null : String(payload.id);

type Observation = {
  readonly api: Api;
  readonly cluster: Pick<Cluster, 'db' | 'leaseMs'>;
  readonly channels: OutboundChannels;
  readonly ledger: DestinationLedger;
  readonly faults: readonly InjectedFault[];
  readonly noticeTargets: Pick<NoticeTargets, 'observe'>;
};

/** Returns what was seen of the channels, and the rest of what was seen. */
export async function observeDestinations(
  { api, cluster, channels, ledger, faults, noticeTargets }: Observation,
  seen: ObservedState,
): Promise<{ destinations: DestinationFacts; rest: ObservedState }> {
  const facts: Partial<Record<ChannelName, ChannelFacts>> = {};
  for (const name of channelNames) {
    const { id, webhookId, standIn } = channels[name];
    const chats = seen.chats.filter(({ worker }) => worker.id === id);
    const contactIds = new Set(chats.map(({ contact }) => contact?.id));
    facts[name] = {
      arrivals: standIn.arrivals,
      deliveries: await readDeliveries(api, cluster, id),
      chats,
      contacts: seen.contacts.filter((contact) => contactIds.has(contact.id)),
      posts: seen.events
        .filter((event) => event.webhookId === webhookId)
        .map((event) => ({
          id: event.id,
          state: event.state,
          reason: event.reason,
          statusOf: statusOfPayload(event.payload as Payload),
        })),
    };
  }
  const whole = facts as Record<ChannelName, ChannelFacts>;
  const { leaseMs } = cluster;
  const notices = await noticeTargets.observe(api, cluster, faults);
  return {
    destinations: { channels: whole, ledger, faults, leaseMs, notices },
    rest: withoutChannels(seen, channels, whole),
  };
}

function withoutChannels(
  seen: ObservedState,
  channels: OutboundChannels,
  facts: Readonly<Record<ChannelName, ChannelFacts>>,
): ObservedState {
  const all = Object.values(channels);
  const webhookIds = new Set(all.map(({ webhookId }) => webhookId));
  const channelIds = new Set(all.map(({ id }) => id));
  const contactIds = new Set(
    Object.values(facts).flatMap(({ contacts }) => contacts.map(({ id }) => id)),
  );
  return {
    ...seen,
    events: seen.events.filter(({ webhookId }) => !webhookIds.has(webhookId)),
    chats: seen.chats.filter(({ worker }) => !channelIds.has(worker.id)),
    contacts: seen.contacts.filter(({ id }) => !contactIds.has(id)),
  };
}
