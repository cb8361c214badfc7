// Each guarantee of deliveries, statuses, rates and notices is broken on purpose, and the checker detects it; without that, the
// same scenarios break no invariant.
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../../../../src/base/ids.ts';
import type { TargetKind } from '../../../../src/domain/notices/target.ts';
import type { EventMessage } from '../../../../src/domain/messages/message.ts';
import { collectionOf } from '../../../support/services/collections.ts';
import type { Stores } from '../../../../src/store/stores.ts';
import { surroundedConnection } from '../../../support/context/surrounded-connection.ts';
import { waitForValue } from '../../../support/processes/client.ts';
import { checkDestinations, type InvariantName } from '../checker/invariants.ts';
import { peopleOfChannel, plans, type ChannelName } from './channels.ts';
import { createInProcess, type BreakStores, type InProcess, type Scene } from './in-process.ts';
import { findNoticeBreaches } from './notices.ts';
import type { DestinationFault } from './stand-ins.ts';
import type { ChannelRecord } from '../../../../src/domain/messages/channel.ts';

let inProcess: InProcess;
beforeAll(async () => {
  inProcess = await createInProcess('destination_mutations');
});
afterAll(() => inProcess.close());

jest.setTimeout(240_000);

const patience = {
  never: { looks: 60, settleMs: 1_000 },
  ends: { looks: 3, settleMs: 30_000 },
} as const;

type Mutation = {
  readonly breaks: BreakStores;
  readonly play: (scene: Scene) => Promise<void>;
  readonly detectedBy: readonly InvariantName[];
  /** Something stays open. */
  readonly neverSettles?: true;
};

/** A person writes, and the chat is there. Resolves to its id. */
async function chatIn({ api, services, channels }: Scene, channel: ChannelName): Promise<string> {
  const [person] = peopleOfChannel(channel, 1);
  await services.write(person ? [person] : []);
  return waitForValue('the chat', async () => {
    const path = `/v1/chat?status=my_chats&filter_worker_id=${channels[channel].id}`;
    const { results } = await api.all<{ chat_id: string }>(path);
    return results[0]?.chat_id;
  });
}

/** Agents answer in the chat. */
const answer = (scene: Scene, channel: ChannelName, messages = 1) =>
  chatIn(scene, channel).then((chatId) =>
    Promise.all(Array.from({ length: messages }, () => scene.answer({ channel, chatId }))),
  );

/** A message of an agent meets a fault of the destination. */
const answerAt = (channel: ChannelName, kind: DestinationFault) => async (scene: Scene) => {
  const chatId = await chatIn(scene, channel);
  // The rate of the channel allows two messages at once again.
  if (plans[channel].onUnknown === 'resend') await pause(1_000);
  await scene.fail({ channel, kind }, async (isMet) => {
    await scene.answer({ channel, chatId });
    await waitForValue('the fault', () => (isMet() ? true : undefined));
  });
};

type Messages = readonly EventMessage[];

/** Sets store other messages than their events make. */
const storesMessages =
  (change: (records: Messages) => Messages): BreakStores =>
  ({ connection }) => ({
    connection: surroundedConnection(connection, async (name, run, [records, options]) => {
      if (name !== 'messages.insertMany') return run();
      const changed = change(records as Messages);
      if (changed.length === 0) return null;
      const messages = collectionOf<EventMessage>(connection, 'messages');
      return messages.insertMany([...changed], options as never);
    }),
  });

async function writeOnly(scene: Scene): Promise<void> {
  await chatIn(scene, 'telegram');
}

/** An event dies, and its notice is sent. */
async function deadEventIsNoticed(scene: Scene): Promise<void> {
  const { key } = scene.channels['http hold'];
  await scene.post(key, { id: `dead ${Math.random()}`, text: 'nobody' });
  await scene.settle();
  await scene.evaluateNotices();
}

/** The deliveries to one kind of target are claimed and never recorded. */
const noticesNotRecorded = (
  { noticeDeliveries, noticeTargets }: Stores,
  kind: TargetKind,
): ReturnType<BreakStores> => ({
  noticeDeliveries: {
    ...noticeDeliveries,
    claim: (ids, { token }) => noticeDeliveries.claim(ids, { token, leaseMs: 100 }),
    finish: async (finish) => {
      const target = await noticeTargets.get(finish.message.channelId);
      return target?.kind === kind || noticeDeliveries.finish(finish);
    },
  },
});

const mutations: Readonly<Record<string, Mutation>> = {
  'an unknown result is sent again under hold': {
    breaks: ({ connection }) => ({
      connection: surroundedConnection(connection, async (name, run) => {
        const found = await run();
        if (name !== 'channels.findOne' || !found) return found;
        const channel = found as ChannelRecord;
        return { ...channel, settings: { ...channel.settings, onUnknown: 'resend' } };
      }),
    }),
    play: answerAt('telegram', 'drop'),
    detectedBy: ['13 nothing is sent twice without cause'],
  },
  'a claim takes no lease': {
    breaks: ({ deliveries }) => ({
      deliveries: {
        ...deliveries,
        claim: (ids, { token }) => deliveries.claim(ids, { token, leaseMs: 0 }),
      },
    }),
    play: async (scene) => {
      await answerAt('http resend', 'slow')(scene);
      // Until the first arrival is answered.
      await pause(1_000);
    },
    detectedBy: ['13 nothing is sent twice without cause'],
  },
  'a success is recorded as a failure': {
    breaks: ({ deliveries }) => ({
      deliveries: {
        ...deliveries,
        finish: (finish) =>
          deliveries.finish({
            ...finish,
            outcome: { kind: 'retry', reason: 'destination_unavailable:503', isUnknown: false },
            delayMs: 0,
          }),
      },
    }),
    play: (scene) => answer(scene, 'http resend').then(() => undefined),
    detectedBy: ['13 nothing is sent twice without cause'],
    neverSettles: true,
  },
  'a failed attempt is recorded as delivered': {
    breaks: ({ deliveries }) => ({
      deliveries: {
        ...deliveries,
        finish: (finish) => deliveries.finish({ ...finish, outcome: { kind: 'delivered' } }),
      },
    }),
    play: answerAt('smtp', 'broken'),
    detectedBy: ['12 what is delivered has arrived'],
  },
  'a retry is never due': {
    breaks: ({ deliveries }) => ({
      deliveries: {
        ...deliveries,
        finish: (finish) => deliveries.finish({ ...finish, delayMs: 86_400_000 }),
      },
    }),
    play: answerAt('http hold', 'broken'),
    detectedBy: ['15 no delivery is stuck or dead without cause'],
    neverSettles: true,
  },
  'a refused message is given up at once': {
    breaks: ({ deliveries }) => ({
      deliveries: {
        ...deliveries,
        finish: ({ outcome, ...finish }) =>
          deliveries.finish({
            ...finish,
            outcome:
              outcome.kind === 'retry' ? { kind: 'dead', reason: 'attempts_spent' } : outcome,
          }),
      },
    }),
    play: answerAt('http hold', 'broken'),
    detectedBy: ['15 no delivery is stuck or dead without cause'],
  },
  'statuses are taken and not applied': {
    breaks: ({ connection }) => ({
      connection: surroundedConnection(connection, (name, run, [filter]) =>
        name === 'messages.updateOne' && 'delivery.externalId' in (filter as object)
          ? Promise.resolve({ matchedCount: 1 })
          : run(),
      ),
    }),
    play: answerAt('whatsapp hold', 'drop'),
    detectedBy: [
      '14 a status settles its delivery',
      '15 no delivery is stuck or dead without cause',
    ],
  },
  'a status finds no message': {
    breaks: ({ connection }) => ({
      connection: surroundedConnection(connection, (name, run, [filter]) =>
        name === 'messages.find' && /delivery\.(externalId|fence)/.test(JSON.stringify(filter))
          ? Promise.resolve([])
          : run(),
      ),
    }),
    play: (scene) => answer(scene, 'whatsapp hold').then(() => undefined),
    detectedBy: ['16 each post of a service ends'],
  },
  'a message of a person is not stored': {
    breaks: storesMessages((records) => records.slice(1)),
    play: async (scene) => {
      await scene.services.write(peopleOfChannel('telegram', 1));
    },
    detectedBy: ['11 one chat for each message of a channel'],
  },
  'a message of a person is stored twice': {
    breaks: storesMessages((records) =>
      records.flatMap((one) => [one, { ...one, _id: `${one._id}-2` }]),
    ),
    play: writeOnly,
    detectedBy: ['11 one chat for each message of a channel'],
  },
  'each worker has its own rates': {
    breaks: ({ connection }) => ({
      connection: surroundedConnection(connection, async (name, run, [filter]) => {
        if (name === 'channelRates.findOneAndUpdate') return { granted: 1_000 };
        if (name !== 'channelRates.find' || !JSON.stringify(filter).includes('takenBy'))
          return run();
        const { $in } = (filter as { _id: { $in: readonly string[] } })._id;
        return $in.map((_id) => ({ _id }));
      }),
    }),
    play: (scene) => answer(scene, 'telegram', 8).then(() => undefined),
    detectedBy: ['17 rates hold over all workers'],
  },
  'the webhook of notices is sent again and again': {
    breaks: (stores) => noticesNotRecorded(stores, 'webhook'),
    play: deadEventIsNoticed,
    detectedBy: ['18 each notice is sent once'],
    neverSettles: true,
  },
  'the mail of notices is sent again and again': {
    breaks: (stores) => noticesNotRecorded(stores, 'email'),
    play: deadEventIsNoticed,
    detectedBy: ['18 each notice is sent once'],
    neverSettles: true,
  },
  'the attempts of a delivery of notices have their own ids': {
    breaks: ({ noticeDeliveries }) => ({
      noticeDeliveries: {
        ...noticeDeliveries,
        claim: async (ids, claim) =>
          (await noticeDeliveries.claim(ids, claim)).map((one) => ({ ...one, _id: newId() })),
        finish: () => Promise.resolve(true),
      },
    }),
    play: deadEventIsNoticed,
    detectedBy: ['18 each notice is sent once'],
    neverSettles: true,
  },
  'a notice is taken for sent': {
    breaks: ({ noticeTargets }) => ({
      noticeTargets: { ...noticeTargets, send: () => Promise.resolve(true) },
    }),
    play: deadEventIsNoticed,
    detectedBy: ['18 each notice is sent once'],
  },
};

/** The broken invariants. On a busy machine what never ends is looked at again, and what ended in time is played again. */
async function verdictOf(
  scene: Scene,
  { play, detectedBy, neverSettles }: Mutation,
): Promise<readonly string[]> {
  const { looks, settleMs } = neverSettles ? patience.never : patience.ends;
  let verdict: readonly string[] = [];
  for (let look = 0; look < looks; look += 1) {
    if (look === 0 || !neverSettles) await play(scene);
    await scene.settle(settleMs);
    verdict = [...checkDestinations(await scene.observe()).keys()];
    if (detectedBy.every((name) => verdict.includes(name))) break;
  }
  return verdict;
}

test('without a mutation no scenario breaks an invariant', async () => {
  const scene = await inProcess.start();
  try {
    await answerAt('telegram', 'drop')(scene);
    await answerAt('http resend', 'slow')(scene);
    await answerAt('smtp', 'broken')(scene);
    await answerAt('http hold', 'broken')(scene);
    await answerAt('whatsapp hold', 'drop')(scene);
    await answer(scene, 'whatsapp resend', 2);
    await scene.settle();
    const facts = await scene.observe();
    const shown = [...checkDestinations(facts)].map(([name, breaches]) => [name, breaches]);
    expect(shown).toEqual([]);
  } finally {
    await scene.close();
  }
});

test('without a mutation each target is told each notice once', async () => {
  const scene = await inProcess.start();
  try {
    await deadEventIsNoticed(scene);
    await scene.settle();
    const { notices } = await scene.observe();
    const arrived = notices.targets.map(({ name, arrivals }) => [name, arrivals.length]);
    expect(arrived).toEqual([
      ['hook', 1],
      ['mail', 1],
    ]);
    expect(findNoticeBreaches(notices)).toEqual([]);
  } finally {
    await scene.close();
  }
});

test.each(Object.entries(mutations))(
  'the checker detects a broken guarantee: %s',
  async (_name, mutation) => {
    const scene = await inProcess.start(mutation.breaks);
    try {
      expect(await verdictOf(scene, mutation)).toEqual(
        expect.arrayContaining([...mutation.detectedBy]),
      );
    } finally {
      await scene.close();
    }
  },
);
