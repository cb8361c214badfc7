// Two events under random commands of several workers and users, compared with a small model.
import fc from 'fast-check';
import type { EventRecord, EventState } from '../../../src/domain/events/event.ts';
import type { Outcome } from '../../../src/domain/events/outcome.ts';
import { newEvent } from '../../../src/domain/events/new-event.ts';
import { collectionOf } from '../../../src/store/db/connection.ts';
import type { ClaimedEvent } from '../../../src/store/events/claim.ts';
import type { EventStore } from '../../../src/store/events/events.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

jest.setTimeout(120_000);

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('lifecycle_model');
});
afterAll(() => context.close());

const events = () => collectionOf<EventRecord>(context.connection, 'events');
const webhookId = 'webhook';
const hour = 3_600_000;
const names = ['e0', 'e1'] as const;
type Name = (typeof names)[number];

/** The second event has its own limit. */
const limits: Record<Name, number | undefined> = { e0: undefined, e1: 2 };

/** The state of an event in the model. */
type Life = {
  state: EventState;
  attempts: number;
  crashes: number;
  alone: boolean;
  fence: number;
  generation: number;
  deliveries: number;
  differing: number;
  body: string;
  version: number;
  /** Not compared. */
  isDue: boolean;
  token: string | undefined;
};
type Held = { readonly name: Name; readonly token: string; readonly fence: number };
type Model = { lives: Map<Name, Life>; held: Held[]; finished: Set<string> };
type Real = { claims: ClaimedEvent[]; claimed: number; ids: Map<string, string> };

const isOpen = ({ state }: Life) => ['received', 'processing', 'waiting'].includes(state);
const fresh = (body: string, version: number, isHeld: boolean): Life => ({
  state: isHeld ? 'held' : 'received',
  attempts: 0,
  crashes: 0,
  alone: false,
  fence: 0,
  generation: 0,
  deliveries: 1,
  differing: 0,
  body,
  version,
  isDue: true,
  token: undefined,
});

function again(life: Life, isHeld: boolean): void {
  const { fence, generation } = life;
  const back = { attempts: 0, crashes: 0, alone: false, isDue: true };
  Object.assign(life, back, { state: isHeld ? 'held' : 'received' });
  Object.assign(life, { fence: fence + 1, generation: generation + 1 });
}

function claimOne(name: Name, life: Life, token: string): void {
  const isExpired = life.state === 'processing';
  life.crashes += isExpired && life.alone ? 1 : 0;
  life.alone ||= isExpired;
  life.fence += 1;
  life.token = token;
  if (life.crashes >= 3 || life.attempts >= (limits[name] ?? 9)) {
    Object.assign(life, { state: 'dead', alone: false });
  } else {
    Object.assign(life, { state: 'processing', isDue: false, attempts: life.attempts + 1 });
  }
}

function isClaimable(life: Life, isAmongOthers: boolean): boolean {
  if (!life.isDue || !['received', 'waiting', 'processing'].includes(life.state)) return false;
  return !isAmongOthers || (life.state !== 'processing' && !life.alone);
}

const owns = (life: Life | undefined, { token, fence }: Held): life is Life =>
  life?.state === 'processing' && life.token === token && life.fence === fence;

const stored = async (): Promise<Record<string, unknown>> => {
  const found = await events().find({ webhookId }).toArray();
  return Object.fromEntries(
    found.map((event) => [
      event.externalId,
      {
        state: event.state,
        attempts: event.attempts,
        crashes: event.crashes,
        alone: event.alone === true,
        fence: event.fence,
        generation: event.generation,
        deliveries: event.deliveries,
        differing: event.differing,
        body: event.bodySha256,
        version: event.mappingVersion,
        open: event.open === true,
      },
    ]),
  );
};
const expected = ({ lives }: Model) =>
  Object.fromEntries(
    [...lives].map(([name, life]) => {
      const { isDue: _isDue, token: _token, ...shown } = life;
      return [name, { ...shown, open: isOpen(life) }];
    }),
  );

type Command = fc.AsyncCommand<Model, Real>;

/** Runs a command on both, and compares all fields afterwards. */
const command = (
  label: string,
  run: (model: Model, real: Real, store: EventStore) => Promise<void>,
): Command => ({
  check: () => true,
  async run(model, real) {
    const fences = new Map([...model.lives].map(([name, { fence }]) => [name, fence]));
    await run(model, real, context.stores.events);
    expect(await stored()).toEqual(expected(model));
    for (const [name, { fence }] of model.lives)
      expect(fence).toBeGreaterThanOrEqual(fences.get(name) ?? 0);
  },
  toString: () => label,
});

type Sent = { name: Name; body: string; version: number; isHeld: boolean };
const send = ({ name, body, version, isHeld }: Sent) =>
  command(
    `send ${name} ${body} v${version}${isHeld ? ' held' : ''}`,
    async ({ lives }, { ids }, store) => {
      const now = new Date();
      const record = newEvent({
        webhookId,
        channelId: 'channel',
        externalId: name,
        dedupKeys: [name],
        delivery: null,
        bodySha256: body,
        bodyBytes: 1,
        mappingVersion: version,
        isHeld,
        receivedAt: now,
        now,
        maxAttempts: limits[name],
      });
      const [result] = await store.insert([record]);
      const life = lives.get(name);
      expect(result).toBe(life ? 'known' : 'inserted');
      ids.set(name, ids.get(name) ?? record._id);
      if (!life) return void lives.set(name, fresh(body, version, isHeld));
      const revivedState = isHeld ? 'held' : 'received';
      const resend = { ...record, dedupKeys: [name], revivedState } as const;
      const [counted] = await store.countResends([resend]);
      life.deliveries += 1;
      life.differing += life.body === body ? 0 : 1;
      const revives = life.state === 'dead' || (life.state === 'ignored' && version > life.version);
      expect(counted).toMatchObject({ revived: revives });
      if (!revives) return;
      again(life, isHeld);
      Object.assign(life, { body, version });
    },
  );

const claim = (chosen: readonly Name[]) =>
  command(`claim ${chosen.join('+')}`, async (model, real, store) => {
    const token = `t${(real.claimed += 1)}`;
    const ids = chosen.map((name) => real.ids.get(name) ?? 'nobody');
    const won = await store.claim(ids, { token, leaseMs: hour, alone: chosen.length === 1 });
    const claimed: Name[] = [];
    for (const name of chosen) {
      const life = model.lives.get(name);
      if (!life || !isClaimable(life, chosen.length > 1)) continue;
      claimOne(name, life, token);
      claimed.push(name);
      if (life.state === 'processing') model.held.push({ name, token, fence: life.fence });
    }
    expect(new Set(won.map(({ externalId }) => externalId))).toEqual(new Set(claimed));
    real.claims.push(...won.filter(({ state }) => state === 'processing'));
  });

/** Uses any claim that ever succeeded, however old. */
const byClaim = (
  label: string,
  pick: number,
  run: (held: Held, event: ClaimedEvent, model: Model) => Promise<void>,
) =>
  command(`${label} by claim ${pick}`, async (model, real) => {
    if (model.held.length === 0) return;
    // Mostly the latest, which may still be valid.
    const held = (pick < 15 ? model.held.at(-1) : model.held[pick % model.held.length]) as Held;
    const event = real.claims.find(
      ({ externalId, claimToken }) => externalId === held.name && claimToken === held.token,
    );
    if (!event) throw new Error('The store won another claim than the model.');
    await run(held, event, model);
  });

const seen = { eventType: null, eventDate: null, problems: [] };
const outcomes: readonly Outcome[] = [
  { kind: 'done', effects: { contactId: 'a', chatId: 'b', messageId: 'c' }, ...seen },
  { kind: 'ignored', reason: 'filter' },
  { kind: 'dead', reason: 'filter_failed' },
  { kind: 'retry', reason: 'internal_error' },
];
const stateOf = {
  done: 'done',
  split: 'done',
  ignored: 'ignored',
  dead: 'dead',
  retry: 'waiting',
} as const;

const finish = (pick: number, outcome: Outcome) =>
  byClaim(`finish ${outcome.kind}`, pick, async (held, event, { lives, finished }) => {
    await context.stores.events.finish([{ event, outcome, delayMs: hour }]);
    const life = lives.get(held.name);
    if (!owns(life, held)) return;
    const owner = `${held.name} ${life.generation} ${life.fence}`;
    expect(finished).not.toContain(owner);
    finished.add(owner);
    Object.assign(life, { state: stateOf[outcome.kind], isDue: false, token: undefined });
    if (!isOpen(life)) life.alone = false;
  });

/** A worker without failures. */
const work = (name: Name, outcome: Outcome): Command => ({
  check: () => true,
  async run(model, real) {
    await claim([name]).run(model, real);
    await finish(0, outcome).run(model, real);
  },
  toString: () => `a worker finishes ${name} ${outcome.kind}`,
});

const release = (pick: number) =>
  byClaim('release', pick, async (held, event, { lives }) => {
    await context.stores.events.release(event.claimToken, [event._id]);
    const life = lives.get(held.name);
    if (!owns(life, held)) return;
    const attempts = life.attempts - 1;
    Object.assign(life, { state: 'received', attempts, isDue: true, token: undefined });
  });

const renew = (pick: number) =>
  byClaim('renew', pick, async (held, event, { lives }) => {
    const lost = await context.stores.events.renew([event], hour);
    const life = lives.get(held.name);
    expect([...lost]).toEqual(owns(life, held) ? [] : [event._id]);
    if (owns(life, held)) life.isDue = false;
  });

const expire = (name: Name) =>
  command(`time passes for ${name}`, async ({ lives }) => {
    await events().updateOne(
      { externalId: name, state: { $in: ['processing', 'waiting'] } },
      { $set: { dueAt: new Date(0), nextAt: new Date(0) } },
    );
    const life = lives.get(name);
    if (life?.state === 'processing' || life?.state === 'waiting') life.isDue = true;
  });

/** A worker that crashes the given number of times. */
const crash = (name: Name, times: number): Command => ({
  check: () => true,
  async run(model, real) {
    for (let crashes = 0; crashes < times; crashes += 1) {
      await claim([name]).run(model, real);
      await expire(name).run(model, real);
    }
  },
  toString: () => `${times} workers die of ${name}`,
});

const replayable = {
  replay: ['dead', 'ignored', 'discarded'],
  remap: ['dead', 'ignored', 'discarded', 'done'],
} as const satisfies Record<string, readonly EventState[]>;

type Again = { name: Name; change: keyof typeof replayable; isHeld: boolean };
const replay = ({ name, change, isHeld }: Again) =>
  command(`${change} ${name}${isHeld ? ' held' : ''}`, async ({ lives }, { ids }, store) => {
    const replayed = await store.replay(
      {
        eventId: ids.get(name) ?? 'nobody',
        change,
        channelId: 'channel',
        mappingVersion: 3,
        maxAttempts: limits[name],
        state: isHeld ? 'held' : 'received',
      },
      { tokenId: 'test', name: 'test' },
    );
    const life = lives.get(name);
    const states: readonly EventState[] = replayable[change];
    const may = life !== undefined && states.includes(life.state);
    expect(replayed.ok).toBe(may);
    if (!may) return;
    again(life, isHeld);
    life.version = 3;
  });

const discard = (name: Name) =>
  command(`discard ${name}`, async ({ lives }, { ids }, store) => {
    const discarded = await store.discard(ids.get(name) ?? 'nobody', {
      tokenId: 'test',
      name: 'test',
    });
    const life = lives.get(name);
    const may = life !== undefined && (isOpen(life) || ['held', 'dead'].includes(life.state));
    expect(discarded.ok).toBe(may);
    if (!may) return;
    const fence = life.fence + 1;
    Object.assign(life, { state: 'discarded', fence, alone: false, token: undefined });
  });

const resume = () =>
  command('resume', async ({ lives }, { ids }, store) => {
    const oldest = await store.oldestHeld(webhookId, 10);
    const held = [...lives].filter(([, { state }]) => state === 'held');
    expect(new Set(oldest)).toEqual(new Set(held.map(([name]) => ids.get(name))));
    expect((await store.releaseHeld(oldest)).length).toBe(held.length);
    for (const [, life] of held)
      Object.assign(life, { state: 'received', fence: life.fence + 1, isDue: true });
  });

const sweep = () =>
  command('sweep', async ({ lives }, _, store) => {
    await events().updateMany({ open: true }, { $set: { nextAt: new Date(0) } });
    const { due } = await store.takeDueEvents({ thinned: false });
    const looked = [...lives.values()].filter(isOpen);
    const apart = looked.filter(({ alone, state }) => alone || state === 'processing');
    expect(due.length).toBe(looked.length);
    expect(due.filter(({ alone }) => alone).length).toBe(apart.length);
    expect((await store.takeDueEvents({ thinned: false })).due).toEqual([]);
  });

const name = fc.constantFrom(...names);
const pick = fc.nat(20);
const isHeld = fc.nat(5).map((drawn) => drawn === 0);
const commands = [
  fc
    .record({
      name,
      body: fc.constantFrom('x', 'y'),
      version: fc.constantFrom(1, 2),
      isHeld,
    })
    .map(send),
  fc.shuffledSubarray([...names], { minLength: 1 }).map(claim),
  name.map((chosen) => claim([chosen])),
  fc.tuple(pick, fc.constantFrom(...outcomes)).map(([at, outcome]) => finish(at, outcome)),
  fc.tuple(name, fc.constantFrom(...outcomes)).map(([chosen, outcome]) => work(chosen, outcome)),
  pick.map(release),
  pick.map(renew),
  name.map(expire),
  fc.tuple(name, fc.integer({ min: 1, max: 5 })).map(([chosen, times]) => crash(chosen, times)),
  fc.record({ name, change: fc.constantFrom('replay', 'remap'), isHeld }).map(replay),
  name.map(discard),
  fc.constant(resume()),
  fc.constant(sweep()),
];

test('two events follow the model under any sequence of operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: '+1' }), async (run) => {
      await events().deleteMany({});
      const setup = () => ({
        model: { lives: new Map(), held: [], finished: new Set<string>() } as Model,
        real: { claims: [], claimed: 0, ids: new Map() } as Real,
      });
      await fc.asyncModelRun(setup, run);
    }),
    { numRuns: 20, endOnFailure: false },
  );
});
