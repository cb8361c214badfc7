// The deletion of all test events of a webhook is bounded, and ends when its client has left.
import type { ApiContext } from '../../../src/api/context.ts';
import { removeTestEvents } from '../../../src/api/events/test-events.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';

const actor = { tokenId: 'test', name: 'test' };

/** `gone`: the newest ones, which another request deletes first. */
function eventsOf({ count, gone = 0, onRemove = () => {} }: Given) {
  const stored = Array.from({ length: count }, (_none, index) => `e${index}`);
  const testEvents: Partial<ApiContext['testEvents']> = {
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
  return { stored, ctx: { testEvents } as ApiContext };
}

type Given = { readonly count: number; readonly gone?: number; readonly onRemove?: () => void };

const never = new AbortController().signal;

test('a request deletes up to 500, and says how many are left for the next', async () => {
  const { ctx } = eventsOf({ count: 1_050, gone: 3 });
  const remove = () => removeTestEvents(ctx, { webhookId: 'w', signal: never }, actor);
  expect(await remove()).toEqual({ deleted: 500, left: 547 });
  expect(await remove()).toEqual({ deleted: 500, left: 47 });
  expect(await remove()).toEqual({ deleted: 47, left: 0 });
});

test('nothing more is deleted once the client has left', async () => {
  const client = new AbortController();
  let tries = 0;
  const onRemove = () => void ((tries += 1) === 7 && client.abort());
  const { ctx, stored } = eventsOf({ count: 300, onRemove });
  await removeTestEvents(ctx, { webhookId: 'w', signal: client.signal }, actor);
  expect(stored).toHaveLength(293);
});
