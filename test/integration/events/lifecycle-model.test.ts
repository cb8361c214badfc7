// Two events under random commands of several workers and users, compared with a small model.
import fc from 'fast-check';
import type { EventRecord, EventState } from '../../../src/domain/events/event.ts';
import type { Outcome } from '../../../src/domain/events/outcome.ts';
import { newEvent } from '../../../src/domain/events/new-event.ts';
import { newId } from '../../../src/base/ids.ts';
import type { Session } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { EventStore } from '../../../src/store/events/events.ts';
import { StaleEvents, writeOutcomes } from '../../../src/store/events/outcomes.ts';
import { expireSet } from '../../../src/store/sets/expired-sets.ts';
import { runSetTransaction, SetEnded } from '../../../src/store/sets/set-transaction.ts';
import {
  dropSet,
  listSets,
  sets,
  takeEvents,
  type TakenEvent,
} from '../../../src/store/sets/sets.ts';
import {
  again,
  expireOne,
  fresh,
  isOpen,
  isTakable,
  limits,
  names,
  owns,
  type Held,
  type Life,
  type Model,
  type Name,
} from '../../support/context/event-model.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

jest.setTimeout(120_000);

let context: TestContext;
let session: Session;
beforeAll(async () => {
  context = await createTestContext('lifecycle_model');
  session = context.connection.getClient().startSession();
});
afterAll(async () => {
  await session.endSession();
  await context.close();
});

const events = () => collectionOf<EventRecord>(context.connection, 'events');
const webhookId = 'webhook';
const hour = 3_600_000;
type Real = { taken: (TakenEvent & { readonly token: string })[]; ids: Map<string, string> };

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
      const { isDue: _isDue, ...shown } = life;
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

const take = (chosen: readonly Name[]) =>
  command(`take ${chosen.join('+')}`, async (model, real) => {
    const token = newId();
    const ids = chosen.map((name) => real.ids.get(name) ?? 'nobody');
    const alone = chosen.length === 1;
    const terms = { token, worker: 'worker', session, alone, now: new Date() };
    const taken = await takeEvents(context.connection, ids, terms);
    const names = chosen.filter((name) => isTakable(model, name, !alone));
    expect(new Set(taken.map(({ externalId }) => externalId))).toEqual(new Set(names));
    if (names.length > 0) model.sets.set(token, { token, alone, names: new Set(names) });
    for (const name of names) {
      const { fence, state } = model.lives.get(name) as Life;
      model.held.push({ name, token, fence, state });
    }
    real.taken.push(...taken.map((event) => ({ ...event, token })));
  });

/** Uses any set that ever took an event, however old. */
const bySet = (
  label: string,
  pick: number,
  run: (held: Held, event: TakenEvent, model: Model) => Promise<void>,
) =>
  command(`${label} by set ${pick}`, async (model, real) => {
    if (model.held.length === 0) return;
    // Mostly the latest, which may still live.
    const held = (pick < 15 ? model.held.at(-1) : model.held[pick % model.held.length]) as Held;
    const event = real.taken.find(
      ({ externalId, token }) => externalId === held.name && token === held.token,
    );
    if (!event) throw new Error('The store took another set than the model.');
    await run(held, event, model);
  });

const seen = { eventType: null, eventDate: null, problems: [] };
const outcomes: readonly Outcome[] = [
  { kind: 'done', effects: { contactId: 'a', chatId: 'b' }, ...seen },
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
  bySet(`finish ${outcome.kind}`, pick, async (held, event, model) => {
    const isOwner = owns(model, held);
    const tx = { connection: context.connection, session };
    const finishes = [{ event, outcome, delayMs: hour }];
    const written = runSetTransaction(tx, { token: held.token, eventIds: [event._id] }, () =>
      writeOutcomes(tx, finishes, 'worker'),
    );
    if (!isOwner) {
      const reason = model.sets.has(held.token) ? StaleEvents : SetEnded;
      return expect(written).rejects.toThrow(reason);
    }
    await written;
    const life = model.lives.get(held.name) as Life;
    const owner = `${held.name} ${life.generation} ${life.fence}`;
    expect(model.finished).not.toContain(owner);
    model.finished.add(owner);
    model.sets.get(held.token)?.names.delete(held.name);
    const { attempts, fence } = life;
    const after = { attempts: attempts + 1, fence: fence + 1, isDue: false };
    Object.assign(life, after, { state: stateOf[outcome.kind] });
    if (!isOpen(life)) life.alone = false;
  });

/** A worker without failures. */
const work = (name: Name, outcome: Outcome): Command => ({
  check: () => true,
  async run(model, real) {
    await take([name]).run(model, real);
    await finish(0, outcome).run(model, real);
  },
  toString: () => `a worker finishes ${name} ${outcome.kind}`,
});

const drop = (pick: number) =>
  bySet('drop', pick, async ({ token }, _event, { sets: live }) => {
    expect(await dropSet(context.connection, token)).toBe(live.has(token));
    live.delete(token);
  });

const expire = (pick: number) =>
  bySet('expire', pick, async ({ token }, _event, { lives, sets: live }) => {
    const record = (await listSets(context.connection)).find(({ _id }) => _id === token);
    const set = live.get(token);
    expect(record !== undefined).toBe(set !== undefined);
    if (!record || !set) return;
    await expireSet(context.connection, record);
    live.delete(token);
    for (const name of set.names) {
      const life = lives.get(name);
      if (life && isOpen(life)) expireOne(name, life, set.alone);
    }
  });

const passTime = (name: Name) =>
  command(`time passes for ${name}`, async ({ lives }) => {
    await events().updateOne(
      { externalId: name, state: 'waiting' },
      { $set: { dueAt: new Date(0), nextAt: new Date(0) } },
    );
    const life = lives.get(name);
    if (life?.state === 'waiting') life.isDue = true;
  });

/** A worker that crashes the given number of times. */
const crash = (name: Name, times: number): Command => ({
  check: () => true,
  async run(model, real) {
    for (let crashes = 0; crashes < times; crashes += 1) {
      await take([name]).run(model, real);
      await expire(0).run(model, real);
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
    Object.assign(life, { state: 'discarded', fence, alone: false });
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
    const apart = looked.filter(({ alone }) => alone);
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
  fc.shuffledSubarray([...names], { minLength: 1 }).map(take),
  name.map((chosen) => take([chosen])),
  fc.tuple(pick, fc.constantFrom(...outcomes)).map(([at, outcome]) => finish(at, outcome)),
  fc.tuple(name, fc.constantFrom(...outcomes)).map(([chosen, outcome]) => work(chosen, outcome)),
  pick.map(drop),
  pick.map(expire),
  name.map(passTime),
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
      await sets(context.connection).deleteMany({});
      const setup = () => ({
        model: { lives: new Map(), sets: new Map(), held: [], finished: new Set() } as Model,
        real: { taken: [], ids: new Map() } as Real,
      });
      await fc.asyncModelRun(setup, run);
    }),
    { numRuns: 20, endOnFailure: false },
  );
});
