/** A chat while the leads of a set are applied to it one by one, and the write that results. */
import type { ChatRecord, Opening } from '../../domain/messages/chat.ts';
import { opensBefore } from '../../domain/people/stamps.ts';
import type { ChatUpdate } from '../../store/effects/effect-writes.ts';

export class ChatDraft {
  /** Null for a chat that the set opens. */
  readonly #before: ChatRecord | null;
  #now: ChatRecord;
  #hasNewMessage = false;

  private constructor(before: ChatRecord | null, now: ChatRecord) {
    this.#before = before;
    this.#now = now;
  }

  static stored = (chat: ChatRecord): ChatDraft => new ChatDraft(chat, chat);
  static opened = (chat: ChatRecord): ChatDraft => new ChatDraft(null, chat);

  get record(): ChatRecord {
    return this.#now;
  }

  /** Keeps the opening of the event that ranks first, and adds labels except those that a person removed. */
  join(opening: Opening, labelIds: readonly string[]): void {
    const { labelIds: known, removedLabelIds = [] } = this.#now;
    const added = labelIds.filter((id) => !known.includes(id) && !removedLabelIds.includes(id));
    this.#now = {
      ...this.#now,
      ...(opensBefore(opening.stamp, this.#now.opening.stamp) && { opening }),
      ...(added.length > 0 && { labelIds: [...known, ...added] }),
    };
  }

  receive(at: Date): void {
    this.#hasNewMessage = true;
    const { lastMessageAt } = this.#now;
    if (!lastMessageAt || lastMessageAt < at) this.#now = { ...this.#now, lastMessageAt: at };
  }

  /**
   * Returns the write that lists the chat by its newest message, after others have left it. Without a message it is not listed,
   * unless a person started or took it.
   */
  relisted(newest: Date | null): ChatUpdate | null {
    const { _id: chatId, status, isStarted, lastMessageAt } = this.#now;
    const isLower = newest
      ? lastMessageAt !== null && lastMessageAt > newest
      : status === 'ura_webhook' && !isStarted;
    if (!isLower) return null;
    return { chatId, changed: { lastMessageAt: newest }, hasNewMessage: false };
  }

  inserted(): ChatRecord | null {
    return this.#before ? null : this.#now;
  }

  update(): ChatUpdate | null {
    const [before, now] = [this.#before, this.#now];
    if (!before || (now === before && !this.#hasNewMessage)) return null;
    const { opening, labelIds, lastMessageAt } = now;
    return {
      chatId: now._id,
      changed: {
        ...(opening !== before.opening && { opening }),
        ...(labelIds !== before.labelIds && { labelIds }),
        ...(lastMessageAt !== before.lastMessageAt && { lastMessageAt }),
      },
      hasNewMessage: this.#hasNewMessage,
    };
  }
}
