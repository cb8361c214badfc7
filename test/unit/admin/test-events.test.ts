// The deletion of all test events of a webhook is bounded, and ends when its client has left.
import { createTestEvents } from '../../../src/api/events/test-events.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';

const actor = { tokenId: 'test', name: 'test' };

type Stores = Parameters<typeof createTestEvents>[0];

/** `gone`: the newest ones, which another request deletes first. */
function eventsOf({ count, gone = 0, onRemove = () => {} }: Given) {
  const stored = Array.from({ length: count }, (_none, index) => `e${index}`);
  const testEvents: Partial<Stores['testEvents']> = {
    list: (_webhookId, { skip, limit }) =>
      Promise.resolve({
        results: stored.slice(skip, skip + limit).map((_id) => ({ _id }) as EventRecord),
        total: stored.length,
      }),
    remove: ({ _id }) => {
      onRemove();
      stored.splice(stored.indexOf(_id), 1);
      if (Number(_id.slice(1)) < gone) return Promise.resolve({ ok: false, reason: 'not_found' });
      return Promise.resolve({ ok: true, value: null });
    },
  };
  return { stored, removal: createTestEvents({ testEvents } as Stores) };
}

type Given = { readonly count: number; readonly gone?: number; readonly onRemove?: () => void };

const never = new AbortController().signal;

test('a request deletes up to 500, and says how many are left for the next', async () => {
  const { removal } = eventsOf({ count: 1_050, gone: 3 });
  expect(await removal.removeAll('w', actor, never)).toEqual({ deleted: 500, left: 547 });
  expect(await removal.removeAll('w', actor, never)).toEqual({ deleted: 500, left: 47 });
  expect(await removal.removeAll('w', actor, never)).toEqual({ deleted: 47, left: 0 });
});

test('nothing more is deleted once the client has left', async () => {
  const client = new AbortController();
  let tries = 0;
  const onRemove = () => void ((tries += 1) === 7 && client.abort());
  const { removal, stored } = eventsOf({ count: 300, onRemove });
  await removal.removeAll('w', actor, client.signal);
  expect(stored).toHaveLength(293);
});
