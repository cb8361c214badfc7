/**
 * What agents write, by chat: the draft, and the messages that are being sent.
 *
 * Promises: a text is kept until it is sent, over other screens and a reload of this tab; files over other screens. What is
 * not sent goes back into the draft. A repeated attempt after a lost answer has the same idempotency key, so that nothing is sent twice.
 */
import { useSyncExternalStore } from 'react';
import { InletError } from '../../api/client.ts';
import { onSessionEnd } from '../../session/session.ts';

export type Quoted = { readonly id: string; readonly text: string };

export type Draft = {
  readonly text: string;
  readonly files: readonly File[];
  readonly quoted: Quoted | null;
  /** The idempotency key. */
  readonly key: string;
};

type Outbox = {
  readonly draft: Draft;
  /** In the order of sending. */
  readonly sending: readonly Draft[];
  /** Why the last message was not sent; null once the draft changes. */
  readonly error: Error | null;
};

type Stored = Omit<Draft, 'files'>;

const emptyDraft = (): Draft => ({ text: '', files: [], quoted: null, key: crypto.randomUUID() });
export const isEmptyDraft = ({ text, files }: Draft): boolean =>
  text.trim() === '' && files.length === 0;

const storageKey = (chatId: string): string => `inlet.reply.${chatId}`;
const outboxes = new Map<string, Outbox>();
const listeners = new Set<() => void>();

onSessionEnd(() => {
  outboxes.clear();
  notifyAll();
});

function notifyAll(): void {
  for (const notify of listeners) notify();
}

/** Several texts are one message afterwards. */
function joined(drafts: readonly Draft[]): Draft {
  const [first, ...rest] = drafts.filter((draft) => !isEmptyDraft(draft));
  if (!first) return emptyDraft();
  if (rest.length === 0) return first;
  return {
    text: [first, ...rest].map(({ text }) => text).join('\n'),
    files: [first, ...rest].flatMap(({ files }) => files),
    quoted: first.quoted,
    key: crypto.randomUUID(),
  };
}

function load(chatId: string): Outbox {
  let stored: readonly Stored[] = [];
  try {
    stored = JSON.parse(sessionStorage.getItem(storageKey(chatId)) ?? '[]') as readonly Stored[];
  } catch {
    // Unreadable: as if there were none.
  }
  const draft = joined(stored.map((one) => ({ ...emptyDraft(), ...one })));
  return { draft, sending: [], error: null };
}

function save(chatId: string, outbox: Outbox): void {
  outboxes.set(chatId, outbox);
  const kept = [...outbox.sending, outbox.draft].filter(({ text }) => text.trim() !== '');
  if (kept.length === 0) sessionStorage.removeItem(storageKey(chatId));
  else {
    const stored: readonly Stored[] = kept.map(({ files: _files, ...one }) => one);
    sessionStorage.setItem(storageKey(chatId), JSON.stringify(stored));
  }
  notifyAll();
}

function outboxOf(chatId: string): Outbox {
  const known = outboxes.get(chatId);
  if (known) return known;
  const loaded = load(chatId);
  outboxes.set(chatId, loaded);
  return loaded;
}

/** A changed draft after a failure is another message. */
export function changeDraft(chatId: string, change: Partial<Omit<Draft, 'key'>>): void {
  const { draft, sending, error } = outboxOf(chatId);
  const key = error === null ? draft.key : crypto.randomUUID();
  save(chatId, { draft: { ...draft, ...change, key }, sending, error: null });
}

/** The server has decided: the same key would get the same answer. */
const isFinal = (error: unknown): boolean =>
  error instanceof InletError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![408, 409, 425, 429].includes(error.status);

/** Sends the draft after the messages before it. Resolves with the error, or null. Never rejects. */
export async function sendDraft(
  chatId: string,
  send: (draft: Draft) => Promise<unknown>,
): Promise<Error | null> {
  const { draft, sending } = outboxOf(chatId);
  if (isEmptyDraft(draft)) return null;
  save(chatId, { draft: emptyDraft(), sending: [...sending, draft], error: null });
  if (sending.length > 0) return null;
  for (let next: Draft | undefined = draft; next; next = outboxOf(chatId).sending[0]) {
    try {
      await send(next);
      const { sending: before, ...rest } = outboxOf(chatId);
      save(chatId, { ...rest, sending: before.slice(1) });
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      const failed = outboxOf(chatId);
      const back = joined([...failed.sending, failed.draft]);
      const key = isFinal(error) ? crypto.randomUUID() : back.key;
      save(chatId, { draft: { ...back, key }, sending: [], error });
      return error;
    }
  }
  return null;
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

export const useOutbox = (chatId: string): Outbox =>
  useSyncExternalStore(subscribe, () => outboxOf(chatId));
