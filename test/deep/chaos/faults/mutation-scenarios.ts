// One short scenario for each mutation: the faults under which the checker must detect it. Processes without a mutation
// pass all scenarios.
import { setTimeout as pause } from 'node:timers/promises';
import { isStopped } from '../../../../scripts/lib/process/processes.mjs';
import { waitForValue } from '../../../support/processes/client.ts';
import { createEventComposer } from '../load/event-composer.ts';
import type { WebhookRequest } from '../load/ledger.ts';
import type { MutationName, ReplicaSetMutationName } from '../preload/mutations.mjs';
import type { PointName } from '../preload/fault-points.mjs';
import { createRandom } from '../load/random.ts';
import { withRedis } from './with-redis.ts';
import { makeEventsDue } from '../checker/settle.ts';
import type { TestBed } from '../cluster/test-bed.ts';
import type { WebhookName } from '../load/webhooks.ts';

/** The mutations that a MongoDB of one member exposes. */
export type SingleMutationName = Exclude<MutationName, ReplicaSetMutationName>;
type MutationScenario = (testBed: TestBed) => Promise<void>;

/** The next body for a webhook whose event ends in this state under the first mapping. */
export function requestFor(
  testBed: TestBed,
  webhook: WebhookName,
  end: 'done' | 'dead' = 'done',
): WebhookRequest {
  const composer = composerOf(testBed);
  for (;;) {
    const webhookRequest = composer.compose(webhook);
    const fates = webhookRequest.composed.map(({ fate, person }) =>
      person === null ? '' : (fate[1] ?? 'done'),
    );
    if (
      fates.every((fate) => fate === end) &&
      (webhook !== 'batch' || webhookRequest.composed.length > 2)
    )
      return webhookRequest;
  }
}

const composers = new WeakMap<TestBed, ReturnType<typeof createEventComposer>>();
function composerOf(testBed: TestBed) {
  const known = composers.get(testBed);
  if (known) return known;
  // Only people whose events always have a phone, because no earlier event created their contacts.
  const strangers = testBed.people.filter(({ isKnown }) => !isKnown);
  const made = createEventComposer(strangers, createRandom(5), 'scene');
  composers.set(testBed, made);
  return made;
}

const random = createRandom(6);
const send = (testBed: TestBed, webhookRequest: WebhookRequest) =>
  testBed.sender.deliver(webhookRequest, random);

const otherEvents = 60;
const fastForwardEveryMs = 2_000;
const verdictMs = 1_500;
/** Until the hint of an acknowledged event is in Redis. */
const hintMs = 1_000;
/** Enough for a poisonous event, which ends four workers one after the other, on a busy machine. */
const maxPassingMs = 300_000;

/** Kills each worker that takes it; its event must end dead. */
const poisoned = ({ composed, body, ...webhookRequest }: WebhookRequest): WebhookRequest => ({
  ...webhookRequest,
  composed: composed.map((one) => ({ ...one, fate: { 1: 'dead' } })),
  body: { ...(body as object), poison: true },
});

const stateOf = async ({ cluster }: TestBed, id: string) =>
  (await cluster.db.collection<{ _id: string; state: string }>('events').findOne({ _id: id }))
    ?.state;

/** Sends until the server accepts connections: the scenario before may have restarted it. */
async function sent(testBed: TestBed, webhookRequest: WebhookRequest): Promise<string> {
  const answer = await waitForValue('the server accepts a connection', async () => {
    const given = await send(testBed, webhookRequest);
    return given.kind === 'refused' ? undefined : given;
  });
  if (answer.kind !== 'acknowledged') throw new Error(`The scenario's event was ${answer.kind}.`);
  return answer.eventId;
}

/** Kills the first worker that reaches the point. The cluster restarts it. */
async function killAt(
  testBed: TestBed,
  point: PointName,
  act: () => Promise<unknown>,
): Promise<void> {
  const workers = testBed.cluster.workers;
  const roles = workers.map((worker) => worker.process());
  for (const worker of workers) worker.order({ arm: { point, hit: 1, signal: 'SIGKILL' } });
  await act();
  await Promise.race(roles.map(({ ended }) => ended));
  for (const worker of workers) worker.order({ arm: null });
}

/** Waits for the condition, and brings the times of sweeps forward while it waits. */
function untilPassingTime(
  testBed: TestBed,
  what: string,
  look: () => Promise<true | undefined>,
): Promise<true> {
  let nextForwardAt = Date.now() + fastForwardEveryMs;
  const lookAndPassTime = async () => {
    if (Date.now() > nextForwardAt) {
      await makeEventsDue(testBed.cluster);
      nextForwardAt = Date.now() + fastForwardEveryMs;
    }
    return look();
  };
  return waitForValue(what, lookAndPassTime, maxPassingMs);
}

const scenarios: Readonly<Record<SingleMutationName, MutationScenario>> = {
  /** The server dies right after its answer. */
  async 'ack before insert'(testBed) {
    const [server] = testBed.cluster.servers;
    await sent(testBed, requestFor(testBed, 'form'));
    await server?.process().kill();
    await waitForValue('the server is back', () => server?.process().ready);
  },

  /** A worker stalls after it took the event, which another one ends and a better mapping makes before it continues. */
  async 'no fence'(testBed) {
    const { workers } = testBed.cluster;
    const roles = workers.map((worker) => worker.process());
    for (const worker of workers) {
      worker.order({ arm: { point: 'after the set', hit: 1, signal: 'SIGSTOP' } });
    }
    const id = await sent(testBed, requestFor(testBed, 'strict', 'dead'));
    const stalled = await waitForValue('a worker has stalled', () =>
      roles.find(({ pid }) => isStopped(pid)),
    );
    for (const worker of workers) worker.order({ arm: null });
    await testBed.operator.improve('strict');
    await untilPassingTime(testBed, 'another worker has ended it', async () =>
      (await stateOf(testBed, id)) === 'dead' ? true : undefined,
    );
    await testBed.operator.replayDead(10);
    // Its hint may have gone to the stopped worker.
    await untilPassingTime(testBed, 'the better mapping made it', async () =>
      (await stateOf(testBed, id)) === 'done' ? true : undefined,
    );
    const before = stalled.output().length;
    for (const role of roles) role.signal('SIGCONT');
    const logged = (line: string) => stalled.output().slice(before).includes(line);
    await waitForValue('the stalled worker has reported its verdict', () =>
      logged('"events.processed"') || logged('"lease.lost"') ? true : undefined,
    );
    // A beat may have reported the loss before the verdict is written.
    await pause(verdictMs);
  },

  /** The same event, three times at once. */
  async 'no unique index'(testBed) {
    const webhookRequest = requestFor(testBed, 'crm');
    await Promise.all([1, 2, 3].map(() => send(testBed, webhookRequest)));
  },

  /** A worker dies as soon as it has committed a set. */
  async 'outcomes before messages'(testBed) {
    await killAt(testBed, 'after commit', () => sent(testBed, requestFor(testBed, 'form')));
  },

  /** The hint of an event is lost, so that only a sweep finds it. */
  async 'sweeper off'(testBed) {
    const roles = testBed.cluster.workers.map((worker) => worker.process());
    for (const role of roles) role.signal('SIGSTOP');
    await sent(testBed, requestFor(testBed, 'form'));
    await pause(hintMs);
    await withRedis(testBed.cluster.redis, (client) => client.flushall());
    for (const role of roles) role.signal('SIGCONT');
  },

  /** A worker dies after it took an event, so that only the end of its set frees it. */
  async 'sets do not expire'(testBed) {
    await killAt(testBed, 'after the set', () => sent(testBed, requestFor(testBed, 'form')));
  },

  /** A worker dies after it has stored items of a batch and before the batch is done. */
  async 'fan-out not idempotent'(testBed) {
    await killAt(testBed, 'after a step of fan-out', () =>
      sent(testBed, requestFor(testBed, 'batch')),
    );
  },

  /** A poisonous event arrives among others while all workers are stopped. Their hints are lost, so that one sweep hints all. */
  async 'alone not exclusive'(testBed) {
    const roles = testBed.cluster.workers.map((worker) => worker.process());
    for (const role of roles) role.signal('SIGSTOP');
    const sendOthers = () =>
      Promise.all(
        Array.from({ length: otherEvents / 2 }, () => sent(testBed, requestFor(testBed, 'form'))),
      );
    // It arrives in the middle, because the first event may be taken before the others are stored.
    await sendOthers();
    const id = await sent(testBed, poisoned(requestFor(testBed, 'form')));
    await sendOthers();
    await pause(hintMs);
    await withRedis(testBed.cluster.redis, (client) => client.flushall());
    for (const role of roles) role.signal('SIGCONT');
    await untilPassingTime(testBed, 'the poison is dead', async () =>
      (await stateOf(testBed, id)) === 'dead' ? true : undefined,
    );
  },
};

/** Plays a scenario once no event of the one before is open. */
export async function playScenario(name: SingleMutationName, testBed: TestBed): Promise<void> {
  const events = testBed.cluster.db.collection('events');
  await waitForValue('nothing is open', async () =>
    (await events.countDocuments({ open: true })) === 0 ? true : undefined,
  );
  await scenarios[name](testBed);
}
