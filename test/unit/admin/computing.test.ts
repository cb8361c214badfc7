/** What the previews, suggestions and comparisons of one token may cost a server, and what a computation cannot block. */
import { systemClock } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { ComputeReply } from '../../../src/api/mappings/computer.ts';
import { createComputing, type ComputeThread } from '../../../src/api/mappings/computing.ts';
import { sendPayload, type PayloadInput } from '../../../src/api/samples/payload.ts';
import { maxWorkPerRequest } from '../../../src/mapping/work-limits.ts';

const task = { mapping: {}, payload: {}, profile: 'generic', region: 'BR' };

/** `answer` is the reply of the thread, or its failure. */
function startLimit(answer: () => Promise<ComputeReply>) {
  let nowMs = 0;
  const clock = { elapsedMs: () => nowMs };
  const thread: ComputeThread = { run: answer, close: () => Promise.resolve() };
  const { compute } = createComputing({ clock }, thread);
  return {
    ask: (tokenId = 't') => compute(tokenId, 'preview', () => Promise.resolve(task)),
    pass: (ms: number) => (nowMs += ms),
  };
}

const done = { ok: true, result: { items: [] } } as const;
const answering = (reply: ComputeReply) => () => Promise.resolve(reply);

test('three of the longest requests empty the bucket of a token, which fills again', async () => {
  let units = maxWorkPerRequest;
  const { ask, pass } = startLimit(() => Promise.resolve({ ...done, units }));
  for (let n = 0; n < 3; n += 1) await ask();
  await expect(ask()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 100 });
  await expect(ask('another')).resolves.toEqual({ items: [] });
  units = 0;
  pass(100);
  await expect(ask()).resolves.toEqual({ items: [] });
});

test('a request that is refused is counted, with what it did', async () => {
  const { code, details, message } = new AppError('invalid_mapping', { details: { fields: [] } });
  const refused = { ok: false, error: { code, details, message }, failure: '' } as const;
  const { ask } = startLimit(answering({ ...refused, units: maxWorkPerRequest }));
  for (let n = 0; n < 3; n += 1) {
    await expect(ask()).rejects.toMatchObject({ code, details: { fields: [] } });
  }
  await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a thread that fails is answered as overloaded, and counts as the longest request', async () => {
  const { ask } = startLimit(() => Promise.reject(new Error('ended')));
  for (let n = 0; n < 3; n += 1) await expect(ask()).rejects.toMatchObject({ code: 'overloaded' });
  await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a fault of a computation is no answer', async () => {
  const { ask } = startLimit(answering({ ok: false, error: null, failure: 'oops', units: 0 }));
  await expect(ask()).rejects.not.toBeInstanceOf(AppError);
});

describe('in its thread', () => {
  const computing = createComputing({ clock: systemClock });
  afterAll(() => computing.close());
  const preview = (mapping: unknown, given: PayloadInput, tokenId = 't') =>
    computing.compute(tokenId, 'preview', () =>
      Promise.resolve({ ...task, mapping, payload: sendPayload(given) }),
    );
  /** A thousand items, each of the most work that it may do. */
  const costly = { split: '@', contact: { name: { path: 'map(&map(&@, $), @)' } } };
  const numbers = Array.from({ length: 200 }, (_, n) => n);
  const body = Array.from({ length: 1_000 }, () => numbers);

  test('a preview reads names of prototypes as it does in this thread', async () => {
    const mapping = { contact: { name: { path: 'toString' }, externalId: { path: 'id' } } };
    const given = JSON.parse('{"id":7,"__proto__":{"toString":"inherited"}}');
    const { items } = await preview(mapping, { body: given });
    expect(items[0]?.contact).toMatchObject({ externalId: '7', name: null });
  });

  test('an invalid mapping is refused with all its problems', async () => {
    const refused = preview({ nothing: 1 }, { body: {} });
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_mapping',
      details: { fields: [{ path: '/mapping/nothing' }] },
    });
  });

  test('too much work is refused as a request that can be changed, and the event loop goes on', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const outcomes = await Promise.allSettled([
      preview(costly, { body }, 'one'),
      preview(costly, { body }, 'two'),
    ]);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
    const reason = expect.objectContaining({ code: 'invalid_field' });
    expect(outcomes).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
  });
});
