/** What the previews, suggestions and comparisons of one token may cost a server. */
import { createWorkLimit } from '../../../src/api/mappings/work-limit.ts';
import { charge } from '../../../src/mapping/expressions/work-budget.ts';
import { maxWorkPerRequest } from '../../../src/mapping/work-limits.ts';

function startLimit() {
  let nowMs = 0;
  const clock = { now: () => new Date(nowMs), elapsedMs: () => nowMs };
  return { limit: createWorkLimit({ clock }), pass: (ms: number) => (nowMs += ms) };
}

const wholeBudget = async ({ budget }: { budget: { remaining: number } }) =>
  charge(budget, maxWorkPerRequest);

test('a request beyond its budget is refused as a request that can be changed', async () => {
  const { limit } = startLimit();
  const excessive = limit('t', async ({ budget }) => charge(budget, maxWorkPerRequest + 1));
  await expect(excessive).rejects.toMatchObject({ code: 'invalid_field' });
});

test('three of the longest requests empty the bucket of a token, which fills again', async () => {
  const { limit, pass } = startLimit();
  for (let n = 0; n < 3; n += 1) await limit('t', wholeBudget);
  await expect(limit('t', async () => 1)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterMs: 100,
  });
  pass(100);
  await expect(limit('t', async () => 1)).resolves.toBe(1);
});

test('a request that fails is counted', async () => {
  const { limit } = startLimit();
  const failing = async (work: Parameters<typeof wholeBudget>[0]) => {
    await wholeBudget(work);
    throw new Error('refused');
  };
  for (let n = 0; n < 3; n += 1) await expect(limit('t', failing)).rejects.toThrow('refused');
  await expect(limit('t', async () => 1)).rejects.toMatchObject({ code: 'rate_limited' });
});
