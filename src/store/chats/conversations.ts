/**
 * What people do with chats: start, answer, take, close, transfer, label, join, leave, mark as read. Collections `chats` and
 * `messages`. Each change of a chat is written with its audit row, which contains ids and no text.
 *
 * Promises: a closed chat never opens again. A message is stored only in an open chat: closing and sending conflict, and one
 * of them sees the other. Of two agents who take one chat, one gets it. A message with an id that exists is stored once.
 */
import { newId } from '../../base/ids.ts';
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { Actor, AuditAction, AuditFacts } from '../../domain/audit/audit.ts';
import { emptyOpening, sectorIdOf, type ChatRecord } from '../../domain/messages/chat.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import { changeAudited, type ChangeResult } from '../audit/audited-change.ts';
import { inTransaction, type Session, type Db } from '../db/connection.ts';
import { retryAfterDuplicate } from '../db/errors.ts';
import { activeContact, peopleCollections } from '../people/records.ts';
import { createSend } from './sent-messages.ts';
import { markOneUsed, markUsed, type Gone } from './use-marks.ts';
import { addAuditRow } from '../audit/audit.ts';

/** Who acts: the agent, or the token alone. */
export type Executor = { readonly agentId: string | null; readonly actor: Actor };

export type ChatStart = {
  readonly contactId: string;
  readonly channelId: string;
  readonly sectorId: string | null;
};

type ChatTransfer = {
  /** The channel to move to, with the person's contact there. */
  readonly to?: { readonly channelId: string; readonly contactId: string };
  readonly agentId?: string;
  readonly sectorId?: string;
  /** Keeps the status, and the executor in the chat. */
  readonly isKept: boolean;
  readonly annotation: string | null;
};

type NotStarted =
  | Gone
  | Failure<'not_found'>
  | (Failure<'other_sector'> & { readonly chatId: string });
type NotTransferred =
  | Gone
  | Failure<'no_channel'>
  | (Failure<'open_chat'> & { readonly chatId: string });
type Changed<Failed extends Failure = never> = Promise<ChangeResult<ChatRecord, Failed>>;

/** Of a chat. Labels that no longer exist are among them. */
const maxRemovedLabels = 1_000;

const factsOf = (chat: ChatRecord): AuditFacts => ({
  status: chat.status,
  channelId: chat.channelId,
  contactId: chat.contactId,
  agentId: chat.agent?.agentId ?? null,
  joined: (chat.joined ?? []).map(({ agentId }) => agentId),
  sectorId: sectorIdOf(chat),
  labelIds: chat.labelIds,
});

const closerOf = ({ agentId, actor }: Executor): string => agentId ?? `token:${actor.tokenId}`;

export function createConversationStore(context: Db) {
  const { chats } = peopleCollections(context.connection);
  return {
    start: createStart(context),
    send: createSend(context.connection),
    ...createAttendance(context),
    transfer: createTransfer(context),
    /** Returns false when the chat is closed or missing. */
    async markRead(_id: string): Promise<boolean> {
      const where = { _id, open: true as const, forwardsTo: { $exists: false } };
      const read = { $max: { readAt: context.clock.now() } };
      return (await chats.updateOne(where, read)).matchedCount === 1;
    },
  };
}

/** Opens a chat, or returns the open one of the contact. */
function createStart(db: Db) {
  const { chats, contacts } = peopleCollections(db.connection);
  type Started = { readonly chat: ChatRecord; readonly isReused: boolean };

  const once = (start: ChatStart, { agentId, actor }: Executor) =>
    inTransaction(db.connection, async (session): Promise<Result<Started, NotStarted>> => {
      const { contactId, channelId, sectorId } = start;
      const now = db.clock.now();
      // Conflicts with a merge, an erasure and the deletion of the channel.
      const { matchedCount } = await contacts.updateOne(
        { _id: contactId, ...activeContact },
        { $set: { updatedAt: now } },
        { session },
      );
      if (
        matchedCount === 0 ||
        !(await markOneUsed(db.connection, { name: 'channels', id: channelId }, session))
      ) {
        await session.abortTransaction();
        return failure('not_found');
      }
      const open = await chats.findOne({ contactId, channelId, open: true }, { session });
      if (open) {
        // Nothing of the contact and the channel changes.
        await session.abortTransaction();
        const sector = sectorIdOf(open);
        const isOther = sectorId !== null && sector !== null && sector !== sectorId;
        if (isOther) return { ...failure('other_sector'), chatId: open._id };
        return success({ chat: open, isReused: true });
      }
      const isThere =
        (await markOneUsed(db.connection, { name: 'sectors', id: sectorId }, session)) &&
        (await markOneUsed(db.connection, { name: 'agents', id: agentId }, session));
      if (!isThere) {
        await session.abortTransaction();
        return failure('gone');
      }
      const chat: ChatRecord = {
        _id: newId(),
        channelId,
        contactId,
        status: agentId === null ? 'queue' : 'in_chat',
        ...(agentId !== null && { agent: { agentId, enteredAt: now } }),
        ...(sectorId !== null && { sectorId }),
        isStarted: true,
        open: true,
        opening: emptyOpening(now),
        labelIds: [],
        lastMessageAt: now,
        startedAt: now,
        closedAt: null,
      };
      await chats.insertOne(chat, { session });
      const target = { type: 'chat', id: chat._id } as const;
      await addAuditRow(db, { actor, action: 'chat.start', target, after: factsOf(chat) }, session);
      return success({ chat, isReused: false });
    });

  /** Fails with `other_sector` when the contact has an open chat of another sector, `not_found` for a contact or channel. */
  return (...given: Parameters<typeof once>) => retryAfterDuplicate(() => once(...given));
}

type ChatUpdate = {
  readonly $set: Partial<ChatRecord>;
  readonly $unset?: { readonly open: '' };
};
type Unchanged = Failure<'unchanged'> & { readonly chat: ChatRecord };
/** Null: the state of the chat does not allow the change. */
type Decision<Failed extends Failure> = ChatUpdate | Failed | 'unchanged' | null;

/** Returns a function that changes one chat as `decide` says. Only a change writes an audit row. */
function createChatChange(context: Db) {
  const { chats } = peopleCollections(context.connection);

  return async function change<Failed extends Failure = never>(
    id: string,
    { action, actor }: { readonly action: AuditAction; readonly actor: Actor },
    decide: (chat: ChatRecord, session: Session) => Decision<Failed> | Promise<Decision<Failed>>,
  ): Changed<Failed> {
    const where = { _id: id, forwardsTo: { $exists: false } };
    const changed = await changeAudited<ChatRecord, Failed | Unchanged>(context, {
      actor,
      action,
      target: { type: 'chat', id },
      read: (session) => chats.findOne(where, { session }),
      write: async (session, chat) => {
        const decision = await decide(chat, session);
        if (decision === 'unchanged') return { ...failure('unchanged'), chat };
        if (decision === null || 'ok' in decision) return decision;
        return chats.findOneAndUpdate(where, decision, { session, returnDocument: 'after' });
      },
      factsOf,
    });
    return isUnchanged(changed) ? success(changed.chat) : (changed as Awaited<Changed<Failed>>);
  };
}

const isUnchanged = (result: object): result is Unchanged =>
  'reason' in result && result.reason === 'unchanged';

/** A system message of a chat. It is not sent to the contact. */
const systemMessage = (
  chat: ChatRecord,
  text: string,
  by: Executor & { now: Date },
): MessageRecord => ({
  _id: newId(),
  channelId: chat.channelId,
  contactId: chat.contactId,
  chatId: chat._id,
  ...(chat.test !== undefined && { test: chat.test }),
  typeUser: 'system',
  ...(by.agentId !== null && { agentId: by.agentId }),
  content: { type: 'text', message: text },
  date: by.now,
  createdAt: by.now,
});

function createAttendance(context: Db) {
  const { connection, clock } = context;
  const { messages } = peopleCollections(connection);
  const change = createChatChange(context);

  return {
    /** Gives the chat to the executor. Fails with `invalid_state` when it is closed, `taken` when another has it. */
    take: (id: string, { agentId, actor }: Executor): Changed<Failure<'taken'> | Gone> =>
      change<Failure<'taken'> | Gone>(id, { action: 'chat.take', actor }, async (chat, session) => {
        if (!chat.open) return null;
        const has = chat.agent?.agentId ?? null;
        if (chat.status === 'in_chat') {
          if (has !== null && has !== agentId) return failure('taken');
          if (agentId === null || (has !== null && chat.agent?.enteredAt)) return 'unchanged';
        }
        if (!(await markOneUsed(connection, { name: 'agents', id: agentId }, session)))
          return failure('gone');
        const agent = agentId === null ? null : { agentId, enteredAt: clock.now() };
        const joined = (chat.joined ?? []).filter((one) => one.agentId !== agentId);
        return { $set: { status: 'in_chat', agent, joined } };
      }),

    /** Closes the chat. Fails with `invalid_state` when another person has closed it. */
    close: (id: string, comment: string | null, executor: Executor): Changed => {
      const closedBy = closerOf(executor);
      return change<never>(
        id,
        { action: 'chat.close', actor: executor.actor },
        async (chat, session) => {
          if (!chat.open) return chat.closedBy === closedBy ? 'unchanged' : null;
          const now = clock.now();
          if (comment) {
            const message = systemMessage(chat, comment, { ...executor, now });
            await messages.insertOne(message, { session });
          }
          return {
            $set: { status: 'closed', closedAt: now, closedBy, closureComment: comment },
            $unset: { open: '' },
          };
        },
      );
    },

    /** Replaces the labels. Events do not add those again that a person removed. */
    setLabels: (id: string, labelIds: readonly string[], { actor }: Executor): Changed<Gone> =>
      change<Gone>(
        id,
        { action: 'chat.label', actor },
        async ({ labelIds: before, removedLabelIds = [] }, session) => {
          const isSame =
            before.length === labelIds.length && before.every((one) => labelIds.includes(one));
          if (isSame) return 'unchanged';
          const added = labelIds.filter((one) => !before.includes(one));
          if (!(await markUsed(connection, { name: 'labels', ids: added }, session)))
            return failure('gone');
          const removed = new Set([...removedLabelIds, ...before]);
          for (const label of labelIds) removed.delete(label);
          return { $set: { labelIds, removedLabelIds: [...removed].slice(-maxRemovedLabels) } };
        },
      ),

    join: (id: string, { agentId, actor }: Executor & { readonly agentId: string }): Changed =>
      change<never>(id, { action: 'chat.join', actor }, ({ open, agent, joined = [] }) => {
        if (!open) return null;
        const isThere = [agent, ...joined].some((one) => one?.agentId === agentId);
        if (isThere) return 'unchanged';
        return { $set: { joined: [...joined, { agentId, enteredAt: clock.now() }] } };
      }),

    /** A chat whose own agent leaves goes back to the queue. */
    leave: (id: string, { agentId, actor }: Executor & { readonly agentId: string }): Changed =>
      change<never>(id, { action: 'chat.leave', actor }, ({ open, agent, joined = [] }) => {
        if (!open) return null;
        const others = joined.filter((one) => one.agentId !== agentId);
        if (agent?.agentId === agentId)
          return { $set: { agent: null, status: 'queue', joined: others } };
        return others.length === joined.length ? 'unchanged' : { $set: { joined: others } };
      }),
  };
}

function createTransfer(context: Db) {
  const { connection, clock } = context;
  const { chats, messages } = peopleCollections(connection);
  const change = createChatChange(context);

  const once = (id: string, transfer: ChatTransfer, executor: Executor): Changed<NotTransferred> =>
    change<NotTransferred>(
      id,
      { action: 'chat.transfer', actor: executor.actor },
      async (chat, session) => {
        if (!chat.open) return null;
        const { to, annotation } = transfer;
        const other =
          to && (await chats.findOne({ ...to, open: true, _id: { $ne: id } }, { session }));
        if (other) return { ...failure('open_chat'), chatId: other._id };
        if (to && !(await markOneUsed(connection, { name: 'channels', id: to.channelId }, session)))
          return failure('no_channel');
        const isThere =
          (await markOneUsed(connection, { name: 'sectors', id: transfer.sectorId }, session)) &&
          (await markOneUsed(connection, { name: 'agents', id: transfer.agentId }, session));
        if (!isThere) return failure('gone');
        const now = clock.now();
        if (annotation) {
          const message = systemMessage(chat, annotation, { ...executor, now });
          await messages.insertOne(message, { session });
        }
        return {
          $set: {
            ...(to && {
              ...to,
              formerContactIds: [...new Set([...(chat.formerContactIds ?? []), chat.contactId])],
            }),
            ...transferred(chat, transfer, { agentId: executor.agentId, now }),
          },
        };
      },
    );

  /** `no_channel`: the channel is deleted. `open_chat`: the contact has another chat in the new channel. */
  return (...given: Parameters<typeof once>) => retryAfterDuplicate(() => once(...given));
}

function transferred(
  chat: ChatRecord,
  { agentId, sectorId, isKept }: ChatTransfer,
  by: { readonly agentId: string | null; readonly now: Date },
): Partial<ChatRecord> {
  const sector = sectorId === undefined ? {} : { sectorId };
  const others = (chat.joined ?? []).filter(
    (one) => one.agentId !== agentId && one.agentId !== by.agentId,
  );
  const stays = isKept && by.agentId !== null && by.agentId !== agentId ? by.agentId : null;
  if (!isKept) {
    const agent = agentId === undefined ? null : { agentId, enteredAt: null };
    return { ...sector, agent, status: 'queue', joined: others };
  }
  const agent = agentId === undefined ? (chat.agent ?? null) : { agentId, enteredAt: null };
  const isOwn = agent?.agentId === stays;
  const joined =
    stays === null || isOwn ? others : [...others, { agentId: stays, enteredAt: by.now }];
  return { ...sector, agent, joined };
}
