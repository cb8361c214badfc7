// Conversations in the channels that send messages out of Inlet: people write, agents answer and close chats.
import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '../cluster/retrying-api.ts';
import { createRandom, type Random } from '../load/random.ts';
import {
  channelNames,
  peopleOfChannel,
  plans,
  type ChannelName,
  type OutboundChannels,
  type Person,
} from './channels.ts';
import type { DestinationLedger, Outgoing } from './ledger.ts';
import type { Services } from './services.ts';

type ConversationDeps = {
  readonly api: Api;
  readonly channels: OutboundChannels;
  readonly services: Services;
  readonly ledger: DestinationLedger;
  readonly wrongAnswers: string[];
};

type ConversationOptions = ConversationDeps & {
  readonly seed: number;
  /** In each channel. */
  readonly people: number;
  /** The average time between two actions in a channel. */
  readonly pauseMs: number;
  /** Gets a line for each call that no server answered. */
  readonly say: (line: string) => void;
};

const maxTries = 20;
const listed = 50;

type Listed = { readonly results: readonly { readonly chat_id: string }[] };

/** Sends a message of an agent, again with the same key while it is not known whether it was stored. */
export async function answerChat(
  { api, ledger, wrongAnswers }: Pick<ConversationDeps, 'api' | 'ledger' | 'wrongAnswers'>,
  { channel, chatId }: Pick<Outgoing, 'channel' | 'chatId'>,
): Promise<void> {
  const text = `out ${ledger.outgoing.length + 1}`;
  const outgoing: Outgoing = { channel, chatId, text, id: null };
  ledger.outgoing.push(outgoing);
  const headers = { 'Idempotency-Key': text.replace(' ', '-') };
  const body = { type: 'text', message: text };
  for (let tries = 0; tries < maxTries && outgoing.id === null; tries += 1) {
    const { status, data } = await api.callUntilAnswered<{ message_id: string }>(
      'POST',
      `/v1/chat/${chatId}`,
      body,
      headers,
    );
    if (status === 201) outgoing.id = data.message_id;
    // An earlier request with this key has not ended.
    else if (status === 409) await pause(1_000);
    else wrongAnswers.push(`a message of an agent was answered ${status}`);
  }
}

/** The chats of a channel that are not closed, latest first. */
export async function openChats(api: Api, channelId: string): Promise<readonly string[]> {
  const path = `/v1/chat?status=my_chats&per_page=${listed}&filter_worker_id=${channelId}`;
  const { data } = await api.callUntilAnswered<Listed>('GET', path);
  return data.results.map(({ chat_id: id }) => id);
}

type Turn = {
  readonly name: ChannelName;
  readonly random: Random;
  readonly people: readonly Person[];
};

/** Starts people who write and agents who answer in each channel. */
export function startConversations(options: ConversationOptions) {
  let isStopped = false;

  async function repeat(
    name: ChannelName,
    seed: number,
    act: (turn: Turn) => Promise<void> | void,
  ) {
    const turn = {
      name,
      random: createRandom(seed),
      people: peopleOfChannel(name, options.people),
    };
    while (!isStopped) {
      try {
        await act(turn);
      } catch (error) {
        options.say(`  a call of an agent failed: ${String(error)}`);
      }
      await pause(options.pauseMs * 2 * turn.random.next());
    }
  }

  const all = Promise.all(
    channelNames.flatMap((name, index) => [
      repeat(name, options.seed * 77 + index, (turn) => write(options.services, turn)),
      repeat(name, options.seed * 78 + index, (turn) => answer(options, turn)),
    ]),
  );
  return {
    async stop(): Promise<void> {
      isStopped = true;
      await all;
    },
  };
}

/** The services post in the background, so that requests overlap. */
function write(services: Services, { name, random, people }: Turn): void {
  const isWhatsapp = plans[name].kind === 'whatsapp';
  if (isWhatsapp && random.chance(0.1))
    void services.reportUnknown(name, random.pick(people).address);
  else
    void services.write(
      isWhatsapp && random.chance(0.3) ? people.slice(0, 3) : [random.pick(people)],
    );
}

/** One action at a time, so that no agent writes into a chat that is being closed. */
async function answer(deps: ConversationDeps, { name, random }: Turn): Promise<void> {
  const chats = await openChats(deps.api, deps.channels[name].id);
  if (chats.length === 0) return;
  if (random.chance(0.06)) {
    const path = `/v1/chat/${random.pick(chats)}/status`;
    await deps.api.callUntilAnswered('PATCH', path, { status: 'closed' });
    return;
  }
  const chosen = Array.from({ length: random.whole(1, 3) }, () => random.pick(chats));
  await Promise.all(chosen.map((chatId) => answerChat(deps, { channel: name, chatId })));
}
