// Subscribers of events while the shared watch fails and is reopened.
import { createLiveStreams } from '../../../src/api/live-streams.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import type { EventFilter } from '../../../src/store/events/event-filter.ts';
import type { StateChange } from '../../../src/store/events/watch-events.ts';
import type { ChangeStream } from '../../../src/store/db/change-stream.ts';
import { waitForValue } from '../../support/processes/client.ts';

const tokenOf = (n: number) => `82${String(n).padStart(8, '0')}0000000100`;
const noDates = { finishedAt: null, dueAt: null, eventDate: null };
const change = (n: number): StateChange => ({
  token: tokenOf(n),
  at: new Date(n),
  event: {
    _id: `e${n}`,
    webhookId: 'w',
    state: 'done',
    items: null,
    reason: null,
    externalId: null,
    receivedAt: new Date(n),
    ...noDates,
  } as never,
});

const unused = () => Promise.reject(new Error('This is not watched.'));

/** A log of changes and its watches. The first watch fails on request. */
function createLog() {
  const log: StateChange[] = [];
  const state = { isBroken: false, opened: 0 };
  const watch = (after?: string): Promise<ChangeStream<StateChange>> => {
    state.opened += 1;
    const isFirst = state.opened === 1;
    let position = after ?? log.at(-1)?.token ?? tokenOf(0);
    return Promise.resolve({
      get position() {
        return position;
      },
      async next() {
        await new Promise((resolve) => setImmediate(resolve));
        if (isFirst && state.isBroken) throw new Error('step-down');
        const found = log.filter(({ token }) => token > position);
        position = found.at(-1)?.token ?? position;
        return found;
      },
      close: () => Promise.resolve(),
    });
  };
  return { state, watch, happen: (n: number) => void log.push(change(n)) };
}

test('a subscriber that returns after the watch was reopened misses nothing and gets nothing twice', async () => {
  const log = createLog();
  const live = createLiveStreams({
    events: log,
    samples: { watch: unused },
    inbox: { watchChats: unused },
    logger: silentLogger(),
  });
  const leaving = new AbortController();
  const follow = async (lastEventId?: string) => {
    const terms = { signal: leaving.signal, lastEventId };
    const items = await live.watch({ parents: true } as EventFilter, terms);
    return async () => ((await items.next()).value as { id?: string }).id;
  };
  const stays = await follow();
  log.happen(1);
  expect(await stays()).toBe(tokenOf(1));
  log.state.isBroken = true;
  // A new watch is opened after a second.
  await waitForValue('it is open again', () =>
    Promise.resolve(log.state.opened === 2 || undefined),
  );
  log.happen(2);
  expect(await stays()).toBe(tokenOf(2));
  // Occurs while no watch is open.
  log.happen(3);
  expect(await stays()).toBe(tokenOf(3));
  const back = await follow(tokenOf(2));
  expect(await back()).toBe(tokenOf(3));
  log.happen(4);
  expect(await back()).toBe(tokenOf(4));
  leaving.abort();
});
