/**
 * Which chat each lead sits in: where its message already is, or else its contact's open one, opened if need be.
 * Two workers may open one for the same contact at once; the unique index lets one of them win, and both use it.
 */
import { newId } from '../../base/ids.ts';
import type { ChatRecord } from '../../domain/messages/chat.ts';
import type { ChatChange, ChatStore } from '../../store/chats/chats.ts';
import type { EarlierMessages } from './earlier-messages.ts';
import { Contended } from '../contacts/enrich.ts';
import type { PendingMessage } from './prepare-messages.ts';
import type { Lease } from '../claim/lease.ts';

/** Resolves to the chat's id for each event id. */
export type Seat = (
  speakers: readonly PendingMessage[],
  earlier: EarlierMessages,
  lease: Lease,
) => Promise<ReadonlyMap<string, string>>;

type SeatDeps = {
  readonly chats: Pick<ChatStore, 'findOpen' | 'apply'>;
  readonly now: () => Date;
};

export function createSeat({ chats, now }: SeatDeps): Seat {
  return async function seat(speakers, earlier, lease) {
    const chatOf = new Map(earlier.seats);
    const seatless = speakers.filter(({ lead: { event } }) => !chatOf.has(event._id));
    const open = await openFor(seatless, lease);
    for (const { lead, contactId } of seatless) {
      const chat = open.get(contactId);
      if (!chat) throw new Contended('A chat was closed as soon as it was opened.');
      chatOf.set(lead.event._id, chat._id);
    }
    return chatOf;
  };

  async function openFor(
    speakers: readonly PendingMessage[],
    lease: Lease,
  ): Promise<ReadonlyMap<string, ChatRecord>> {
    const groups = new Map<string, PendingMessage[]>();
    for (const speaker of speakers) {
      groups.set(speaker.contactId, [...(groups.get(speaker.contactId) ?? []), speaker]);
    }
    const open = byContact(standing(await chats.findOpen([...groups.keys()])));
    lease.require();
    const lost = await applyGroups(groups, open);
    if (lost.size === 0) return open;
    for (const chat of standing(await chats.findOpen([...lost]))) open.set(chat.contactId, chat);
    lease.require();
    await applyGroups(new Map([...groups].filter(([contactId]) => lost.has(contactId))), open);
    return open;
  }

  /** Opens what is missing and changes what differs; adds what it opened to `open`. */
  async function applyGroups(
    groups: ReadonlyMap<string, PendingMessage[]>,
    open: Map<string, ChatRecord>,
  ) {
    const opened: ChatRecord[] = [];
    const changes: ChatChange[] = [];
    for (const [contactId, group] of groups) {
      const chat = open.get(contactId);
      const { opening, labelIds } = gathered(group);
      if (!chat) opened.push(newChat(group, { contactId, startedAt: now() }));
      else if (isNews(chat, { opening, labelIds }))
        changes.push({ chatId: chat._id, opening, labelIds });
    }
    if (opened.length + changes.length === 0) return new Set<string>();
    const lost = await chats.apply(opened, changes);
    for (const chat of opened) if (!lost.has(chat.contactId)) open.set(chat.contactId, chat);
    return lost;
  }
}

/** A contact that was merged since this set identified it is looked up anew. */
function standing(found: readonly ChatRecord[]): readonly ChatRecord[] {
  if (found.some(({ forwardsTo }) => forwardsTo !== undefined))
    throw new Contended('A contact was merged while its event was on the way.');
  return found;
}

const byContact = (found: readonly ChatRecord[]): Map<string, ChatRecord> =>
  new Map(found.map((chat) => [chat.contactId, chat]));

/** What several leads of one contact give together: the earliest opening, and all labels. */
function gathered(group: readonly PendingMessage[]): Omit<ChatChange, 'chatId'> {
  const [first, ...rest] = group.map(({ opening }) => opening);
  if (!first) throw new Error('A group has at least one lead.');
  return {
    opening: rest.reduce((least, next) => (next.stamp < least.stamp ? next : least), first),
    labelIds: [...new Set(group.flatMap(({ labelIds }) => labelIds))],
  };
}

const isNews = (chat: ChatRecord, { opening, labelIds }: Omit<ChatChange, 'chatId'>): boolean =>
  opening.stamp < chat.opening.stamp || labelIds.some((id) => !chat.labelIds.includes(id));

function newChat(
  group: readonly PendingMessage[],
  { contactId, startedAt }: { contactId: string; startedAt: Date },
): ChatRecord {
  const { opening, labelIds } = gathered(group);
  const { channelId = '', event } = group[0]?.lead ?? {};
  return {
    _id: newId(),
    channelId,
    ...(event?.test && { test: event.test.id }),
    contactId,
    status: 'ura_webhook',
    open: true,
    opening,
    labelIds,
    lastMessageAt: null,
    startedAt,
    closedAt: null,
  };
}
