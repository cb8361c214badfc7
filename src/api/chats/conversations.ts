/**
 * What people do with chats: start, answer, take, close, transfer, label, join, leave and mark as read.
 *
 * Promises: a repeated request with the same idempotency key stores one message. Every change returns the chat as a list
 * shows it.
 */
import { AppError, invalidField, refusal } from '../../base/errors.ts';
import { derivedId, newId, sha256 } from '../../base/ids.ts';
import { failure, type Failure, type Result } from '../../base/result.ts';
import { isOutbound, takesFiles } from '../../channels/registry.ts';
import { newDelivery } from '../../domain/messages/delivery.ts';
import type { MediaType, MessageFile, MessageRecord } from '../../domain/messages/message.ts';
import type { ChatView } from '../../store/chats/inbox.ts';
import type { ChatStart, Executor } from '../../store/chats/conversations.ts';
import { saveFile } from '../../store/chats/files.ts';
import type { ApiContext } from '../context.ts';
import { readChat } from './chats.ts';
import { findChannel } from '../../store/channels/channels.ts';

type NewFile = Omit<MessageFile, 'fileId' | 'bytes'> & {
  readonly type: MediaType;
  readonly bytes: Buffer;
};

type NewMessage = {
  /** The type of the first file; `text` without files. */
  readonly type: MediaType | 'text';
  /** With files, the caption, which may be empty. */
  readonly text: string;
  readonly files: readonly NewFile[];
  readonly quotedId?: string | undefined;
  /** Of the request; a message's id derives from it. */
  readonly idempotencyKey: string | undefined;
};

type TransferInput = {
  readonly channelId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly sectorId?: string | undefined;
  readonly isKept: boolean;
  readonly annotation: string | null;
};

const isClosed = () => refusal(failure('closed'));

/** Returns what keeps a chat from being changed. */
function rejectionOf(refused: Parameters<typeof refusal>[0]): AppError {
  if (refused.reason === 'invalid_state') return isClosed();
  if (refused.reason === 'gone') return invalidField('', 'field.deleted_name');
  return refusal(refused, 'conflict');
}

async function changedOrThrow(
  ctx: ApiContext,
  id: string,
  change: Promise<Result<unknown, Failure>>,
): Promise<ChatView> {
  const outcome = await change;
  if (!outcome.ok) throw rejectionOf(outcome);
  return readChat(ctx, id);
}

/** Throws `conflict` when another agent has the chat, `invalid_transition` when it is closed. */
export const takeChat = (ctx: ApiContext, id: string, executor: Executor): Promise<ChatView> =>
  changedOrThrow(ctx, id, ctx.conversations.take(id, executor));

export const closeChat = (
  ctx: ApiContext,
  { id, comment }: { readonly id: string; readonly comment: string | null },
  executor: Executor,
): Promise<ChatView> => changedOrThrow(ctx, id, ctx.conversations.close(id, comment, executor));

/** Replaces the labels. Throws `invalid_field` for one that does not exist, or is disabled and not in the chat already. */
export async function setLabels(
  ctx: ApiContext,
  { id, labelIds }: { readonly id: string; readonly labelIds: readonly string[] },
  executor: Executor,
): Promise<ChatView> {
  const wanted = [...new Set(labelIds)];
  const known = new Map((await ctx.labels.getMany(wanted)).map((label) => [label._id, label]));
  const { labelIds: present } = await readChat(ctx, id);
  const wrong = wanted.findIndex((label) => {
    const found = known.get(label);
    return !found || (found.status === 'disabled' && !present.includes(label));
  });
  if (wrong !== -1) throw notThere(`/${wrong}`);
  return changedOrThrow(ctx, id, ctx.conversations.setLabels(id, wanted, executor));
}

export const joinChat = async (
  ctx: ApiContext,
  id: string,
  executor: Executor,
): Promise<ChatView> => changedOrThrow(ctx, id, ctx.conversations.join(id, withAgent(executor)));

export const leaveChat = async (
  ctx: ApiContext,
  id: string,
  executor: Executor,
): Promise<ChatView> => changedOrThrow(ctx, id, ctx.conversations.leave(id, withAgent(executor)));

export async function markRead(ctx: ApiContext, id: string): Promise<ChatView> {
  if (await ctx.conversations.markRead(id)) return readChat(ctx, id);
  await readChat(ctx, id);
  throw isClosed();
}

export async function transferChat(
  ctx: ApiContext,
  { id, channelId, ...input }: TransferInput & { readonly id: string },
  executor: Executor,
): Promise<ChatView> {
  await requireDestinations(ctx, { channelId, ...input });
  const chat = await readChat(ctx, id);
  if (chat.status === 'closed') throw isClosed();
  const to = channelId === undefined ? null : await contactIn(ctx, chat, { channelId, executor });
  const { agentId, sectorId, ...rest } = input;
  const transfer = {
    ...(to && { to }),
    ...(agentId !== undefined && { agentId }),
    ...(sectorId !== undefined && { sectorId }),
    ...rest,
  };
  return changedOrThrow(ctx, id, ctx.conversations.transfer(id, transfer, executor));
}

const executorHeader = 'x-underchat-user-id';

function withAgent({ agentId, actor }: Executor) {
  if (agentId !== null) return { agentId, actor };
  throw invalidField(executorHeader, 'field.agent_required');
}

/** Throws `invalid_field` when nothing is named, or something that does not exist or is disabled. */
async function requireDestinations(
  ctx: ApiContext,
  { channelId, agentId, sectorId }: TransferInput,
): Promise<void> {
  if (channelId === undefined && agentId === undefined && sectorId === undefined)
    throw invalidField('', 'field.no_receiver');
  const [channel, agent, sector] = await Promise.all([
    channelId === undefined ? null : findChannel(ctx, channelId),
    agentId === undefined ? null : ctx.agents.get(agentId),
    sectorId === undefined ? null : ctx.sectors.get(sectorId),
  ]);
  if (channelId !== undefined && !channel?.enabled) throw notThere('/worker_id');
  if (agentId !== undefined && agent?.status !== 'active') throw notThere('/user_id');
  if (sectorId !== undefined && (!sector || sector.status === 'disabled'))
    throw notThere('/sector_id');
}

const notThere = (path: string) => invalidField(path, 'field.missing_or_disabled');

/** Returns the person's contact in another channel, created if need be. */
async function contactIn(
  { people }: ApiContext,
  { contactId }: Pick<ChatView, 'contactId'>,
  { channelId, executor }: { readonly channelId: string; readonly executor: Executor },
): Promise<{ readonly channelId: string; readonly contactId: string }> {
  const found = await people.counterpartIn(contactId, channelId, executor.actor);
  if (found.ok) return { channelId, contactId: found.value._id };
  throw refusal(failure(found.reason), 'conflict');
}

/**
 * Opens a chat with a contact, or returns the open one. Throws `not_found` for a contact or channel, `invalid_field` for a
 * sector, `conflict` with the open chat of another sector.
 */
export async function startChat(
  ctx: ApiContext,
  { contactId, channelId, sectorId }: ChatStart,
  executor: Executor,
): Promise<{ readonly chat: ChatView; readonly isReused: boolean }> {
  const channel = await findChannel(ctx, channelId);
  if (!channel) throw new AppError('not_found');
  if (!channel.enabled) throw invalidField('/worker_id', 'field.disabled');
  const sector = sectorId === null ? null : await ctx.sectors.get(sectorId);
  if (sectorId !== null && (!sector || sector.status === 'disabled')) throw notThere('/sector_id');
  const to = await contactIn(ctx, { contactId }, { channelId, executor });
  const started = await ctx.conversations.start({ ...to, sectorId }, executor);
  if (!started.ok) throw rejectionOf(started);
  const { chat, isReused } = started.value;
  return { chat: await readChat(ctx, chat._id), isReused };
}

/** Throws `invalid_transition` for a closed chat, `invalid_field` when the channel cannot send. */
export async function sendMessage(
  ctx: ApiContext,
  { chatId, ...given }: NewMessage & { readonly chatId: string },
  executor: Executor,
): Promise<MessageRecord> {
  const { quotedId, files } = given;
  const quoted = quotedId === undefined ? null : await ctx.inbox.getMessage(quotedId);
  if (quotedId !== undefined && quoted?.chatId !== chatId)
    throw invalidField('/message_quoted_id', 'field.other_message');
  let stored: readonly MessageFile[] | undefined;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const to = await destinationOf(ctx, await readChat(ctx, chatId));
    if (files.length > 0 && !to.takesFiles) throw textOnly();
    stored ??= await saveFiles(ctx, files, chatId);
    const sent = await ctx.conversations.send({
      message: messageOf({ ...given, files: stored }, { to, executor, now: ctx.clock.now() }),
      chatContactId: to.chat.contactId,
    });
    if (sent.ok) return sent.value;
    if (sent.reason === 'closed') throw isClosed();
    if (sent.reason === 'no_channel') throw noChannel();
  }
  throw new AppError('conflict');
}

/** The chat was transferred to another channel, or given to another contact, after it was read. */
const maxTries = 3;

const noChannel = () => invalidField('', 'field.chat_without_channel');

const textOnly = () => invalidField('', 'field.chat_without_files');

type Destination = {
  readonly chat: ChatView;
  readonly isOutside: boolean;
  readonly takesFiles: boolean;
};

async function destinationOf(ctx: ApiContext, chat: ChatView): Promise<Destination> {
  const channel = await findChannel(ctx, chat.channelId);
  if (!channel?.enabled) throw noChannel();
  // A reply to a test event is sent to no destination.
  const isOutside = chat.test === undefined && isOutbound(channel.kind);
  return { chat, isOutside, takesFiles: takesFiles(channel.kind) };
}

type Composed = { readonly to: Destination; readonly executor: Executor; readonly now: Date };

function messageOf(
  {
    text,
    files,
    type,
    quotedId,
    idempotencyKey,
  }: Omit<NewMessage, 'files'> & {
    readonly files: readonly MessageFile[];
  },
  { to: { chat, isOutside }, executor: { agentId, actor }, now }: Composed,
): MessageRecord {
  const { tokenId } = actor;
  return {
    // With the text: a key may be used again after a day.
    _id:
      idempotencyKey === undefined
        ? newId()
        : derivedId('sent', tokenId, chat._id, idempotencyKey, sha256(text)),
    channelId: chat.channelId,
    contactId: chat.contact?._id ?? chat.contactId,
    chatId: chat._id,
    ...(chat.test !== undefined && { test: chat.test }),
    typeUser: 'operator',
    tokenId,
    ...(agentId !== null && { agentId }),
    ...(quotedId !== undefined && { quotedId }),
    content: { type, message: text, ...(files.length > 0 && { files }) },
    date: now,
    createdAt: now,
    ...(isOutside && { delivery: newDelivery() }),
  };
}

/** Files whose message is not stored afterwards are deleted by retention. */
async function saveFiles(
  ctx: ApiContext,
  files: readonly NewFile[],
  chatId: string,
): Promise<readonly MessageFile[]> {
  const stored: MessageFile[] = [];
  for (const { name, contentType, bytes } of files) {
    const file = { fileId: newId(), name, contentType, bytes: bytes.length };
    await saveFile(ctx, file, { chatId, bytes });
    stored.push(file);
  }
  return stored;
}
