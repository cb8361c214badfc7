// Another writer beside the transaction of a set, forced between each two of its steps, also with a lost answer of the commit: the
// result is that of one of the two serial orders. The default tier tries some of the stops, the deep tier all.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { sleep } from '../../../src/base/clock.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { collectionOf } from '../services/collections.ts';
import { losingCommits, type Lost } from './lost-commits.ts';
import { createField, type Field } from './race-field.ts';
import { byText, expectSound, stateOf } from './race-state.ts';
import { startSteppedWorker, type SteppedWorker } from './stepped-worker.ts';
import type { TestContext } from './test-context.ts';

type Begun = {
  /** The events of the set. */
  readonly ids: readonly string[];
  readonly other: () => Promise<unknown>;
  /** Called once the set is taken. */
  readonly onTaken?: () => Promise<void>;
};

export type Race = {
  /** What the other writer does. */
  readonly beside: string;
  /** Prepares the empty database. */
  begin(field: Field): Promise<Begun>;
  /** Holds in addition to the serial orders. */
  check?(field: Field): Promise<void>;
  /** Messages may outlive their events. */
  readonly isKept?: boolean;
  /** It has many transactions: it may see an event before its outcome, and erase it after. */
  readonly isErasure?: boolean;
  /** The set splits a body in a transaction of its own, after which the other writer may come, too. */
  readonly isSplit?: boolean;
};

/** The steps until the items are stored. */
const stepsOfSplit = 2;

/** The stop is the number of steps that the worker has made before the other writer begins. */
type Stop = { readonly stop: number; readonly lost: Lost | null };

/** A writer that waits for the transaction of the set goes on after it. Only how often the two really meet depends on this time. */
const blockedMs = 50;

async function run(field: Field, race: Race, { stop, lost }: Stop): Promise<void> {
  await field.clear();
  const { ids, other, onTaken } = await race.begin(field);
  const { context, stores } = field;
  const connection = lost ? losingCommits(context.connection, lost) : context.connection;
  const worker = await startSteppedWorker(context, ids, { stores: { ...stores, connection } });
  await onTaken?.();
  for (let steps = 0; steps < stop && !worker.isAtEnd(); steps += 1) await worker.step();
  const writing = other();
  await Promise.race([writing, sleep(blockedMs)]);
  await worker.toEnd();
  await writing;
  await processOpen(field.context);
}

async function countToEnd(worker: SteppedWorker): Promise<number> {
  let steps = 0;
  for (; !worker.isAtEnd(); steps += 1) await worker.step();
  await worker.toEnd();
  return steps;
}

/** As the queue and the sweep do. */
export async function processOpen(context: TestContext): Promise<void> {
  const events = collectionOf<EventRecord>(context.connection, 'events');
  for (let turns = 0; turns < 10; turns += 1) {
    await events.updateMany({ open: true }, { $set: { dueAt: null } });
    const open = await events.find({ open: true }, { sort: { _id: 1 } }).toArray();
    if (open.length === 0) return;
    for (const { _id } of open) await context.newProcessing()([_id]);
  }
  throw new Error('The events do not come to an end.');
}

/** Whether an event that is done was erased, and its external id with it, depends on when the scan saw it. */
async function comparableState(field: Field, { isErasure = false }: Race) {
  const { events, ...state } = await stateOf(field);
  const compared = events.map((event) => ({
    ...event,
    // One whose tries all met a worker that was stopped waits for another attempt.
    attempts: Math.min(Number(event.attempts), 1),
    ...(isErasure && event.state === 'done' && { isErased: null, externalId: null }),
  }));
  return { ...state, events: compared.toSorted(byText) };
}

/** Returns the state, and the steps of the set. */
async function serially(field: Field, race: Race, isFirst: boolean) {
  await field.clear();
  const { ids, other } = await race.begin(field);
  if (isFirst) await other();
  const steps = await countToEnd(await startSteppedWorker(field.context, ids));
  if (!isFirst) await other();
  await processOpen(field.context);
  await expectSound(field, race);
  return { steps, state: await comparableState(field, race) };
}

async function betweenTransactions(field: Field, race: Race) {
  await field.clear();
  const { ids, other } = await race.begin(field);
  const worker = await startSteppedWorker(field.context, ids);
  for (let steps = 0; steps < stepsOfSplit; steps += 1) await worker.step();
  await other();
  await worker.toEnd();
  await processOpen(field.context);
  await expectSound(field, race);
  return comparableState(field, race);
}

type Stops = 'all' | 'some';
const seed = Number(process.env.INLET_TEST_SEED ?? randomInt(2 ** 31));

function stopsOf(count: number, stops: Stops): Stop[] {
  const each = Array.from({ length: count + 1 }, (_, stop) => stop);
  const all = (lost: Lost | null, at: readonly number[]) => at.map((stop) => ({ stop, lost }));
  if (stops === 'all') return [...all(null, each), ...all('answer', each), ...all('command', each)];
  const shuffled = fc.shuffledSubarray(each, { minLength: 3, maxLength: 3 });
  const [chosen = []] = fc.sample(shuffled, { seed, numRuns: 1 });
  return [
    ...all(null, chosen.slice(0, 1)),
    ...all('answer', chosen.slice(1, 2)),
    ...all('command', chosen.slice(2)),
  ];
}

async function expectSerial(field: Field, race: Race, stops: Stops): Promise<void> {
  const first = await serially(field, race, true);
  const last = await serially(field, race, false);
  const serial = [first.state, last.state];
  if (race.isSplit) serial.push(await betweenTransactions(field, race));
  for (const stop of stopsOf(last.steps, stops)) {
    await run(field, race, stop);
    const found = await comparableState(field, race);
    const text = JSON.stringify(found);
    const expected = serial.find((one) => JSON.stringify(one) === text) ?? serial[0];
    expect({ seed, ...stop, ...found }).toEqual({ seed, ...stop, ...expected });
    await expectSound(field, race);
    await race.check?.(field);
  }
}

/** Registers the tests of a file. */
export function testRaces(name: string, races: readonly Race[], stops: Stops): void {
  let field: Field;
  beforeAll(async () => {
    field = await createField(`races_${name}`);
  });
  afterAll(() => field.context.close());
  console.log(`races of ${name}: ${stops === 'all' ? 'all stops' : `INLET_TEST_SEED=${seed}`}`);

  test.each(races.map((race) => [race.beside, race] as const))(
    'beside a set, %s: the result is that of one after the other',
    (_beside, race) => expectSerial(field, race, stops),
  );
}
