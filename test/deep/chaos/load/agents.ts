// What agents do with chats while faults happen: take, answer with an idempotency key, mark as read, label, close.
import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '../cluster/retrying-api.ts';
import type { Ledger, Reply } from './ledger.ts';
import type { Random } from './random.ts';
import type { Targets } from './webhooks.ts';

const listed = 50;
const maxTries = 20;

type Listed = { readonly results: readonly { readonly chat_id: string }[] };

type AgentDeps = { readonly api: Api; readonly ledger: Ledger; readonly targets: Targets };

/** Returns a function that does one thing with a chat of the webhooks at random. */
export function createAgents({ api, ledger, targets }: AgentDeps) {
  const channelIds = [...new Set(Object.values(targets).map(({ channelId }) => channelId))];
  let replies = 0;

  /** Sends one reply, again with the same key while it is not known whether it was stored. */
  async function answer(chatId: string): Promise<void> {
    const text = `reply ${(replies += 1)}`;
    const reply: Reply = { text, chatId, isAcknowledged: false };
    ledger.replies.push(reply);
    const headers = { 'Idempotency-Key': text.replace(' ', '-') };
    for (let tries = 0; tries < maxTries && !reply.isAcknowledged; tries += 1) {
      const body = { type: 'text', message: text };
      const { status } = await api.callUntilAnswered('POST', `/v1/chat/${chatId}`, body, headers);
      reply.isAcknowledged = status === 201;
      // 409: an earlier request with this key has not ended.
      if (status === 409) await pause(1_000);
      else if (status !== 201) ledger.wrongAnswers.push(`a reply was answered ${status}`);
    }
  }

  return async function actAtRandom(random: Random): Promise<void> {
    const path = `/v1/chat?status=my_chats&per_page=${listed}&filter_worker_id=${channelIds.join()}`;
    const { data } = await api.callUntilAnswered<Listed>('GET', path);
    if (data.results.length === 0) return;
    const chatId = random.pick(data.results).chat_id;
    const action = random.pick(['answer', 'answer', 'take', 'read', 'label', 'close'] as const);
    const at = `/v1/chat/${chatId}`;
    if (action === 'answer') await answer(chatId);
    else if (action === 'take')
      await api.callUntilAnswered('PATCH', `${at}/status`, { status: 'in_chat' });
    else if (action === 'close')
      await api.callUntilAnswered('PATCH', `${at}/status`, { status: 'closed' });
    else if (action === 'read') await api.callUntilAnswered('POST', `${at}/read`, {});
    else await api.callUntilAnswered('PATCH', `${at}/label`, []);
  };
}
