import { createMetrics } from '../../../../src/base/observability/metrics.ts';
import { createAdmission } from '../../../../src/http/requests/admission.ts';

const overloaded = expect.objectContaining({ code: 'overloaded', retryAfterMs: 2_000 });
const create = (maxInFlight: number, maxPendingBytes = 1_000) => {
  const metrics = createMetrics();
  const gauges = async () => {
    const [inFlight, bytes] = await Promise.all([
      metrics.inFlight.get(),
      metrics.pendingBytes.get(),
    ]);
    return [inFlight.values[0]?.value, bytes.values[0]?.value];
  };
  return { ...createAdmission({ maxInFlight, maxPendingBytes }, metrics), gauges };
};

test('a webhook is rejected beyond half of the requests in flight until one of its requests ends', () => {
  const { acquire } = create(4);
  const first = acquire('a');
  acquire('a');
  expect(() => acquire('a')).toThrow(overloaded);
  first.release();
  acquire('a');
});

test('a webhook that takes all it can get leaves room for the next ones', () => {
  const { acquire } = create(12);
  const fill = (webhookId: string): number => {
    for (let held = 0; ; held += 1) {
      try {
        acquire(webhookId);
      } catch {
        return held;
      }
    }
  };
  expect(['a', 'b', 'c', 'd', 'e'].map(fill)).toEqual([6, 3, 1, 1, 1]);
  expect(() => acquire('f')).toThrow(overloaded);
});

test('bytes are counted once, as they grow, and released together', async () => {
  const { acquire, gauges } = create(10);
  const slot = acquire('a');
  for (const bytes of [100, 50, 400]) slot.reserve(bytes);
  expect(await gauges()).toEqual([1, 400]);
  const other = acquire('b');
  expect(() => other.reserve(601)).toThrow(overloaded);
  other.reserve(600);
  expect(await gauges()).toEqual([2, 1_000]);
  slot.release();
  other.release();
  expect(await gauges()).toEqual([0, 0]);
});

test('announced bytes are checked and not counted', async () => {
  const { acquire, gauges } = create(1_000);
  for (let n = 0; n < 70; n += 1) {
    const slot = acquire('slow');
    slot.announce(400);
    slot.reserve(1);
  }
  expect(await gauges()).toEqual([70, 70]);
  const slot = acquire('other');
  slot.announce(500);
  slot.reserve(500);
  expect(() => acquire('slow').announce(400)).toThrow(overloaded);
});

test('requests of one webhook take at most half of the bytes, and its only request all that are free', () => {
  const { acquire } = create(10);
  const large = acquire('a');
  large.reserve(1_000);
  large.release();
  const [one, two] = [acquire('a'), acquire('a')];
  one.reserve(300);
  expect(() => two.reserve(201)).toThrow(overloaded);
  two.reserve(200);
  acquire('b').reserve(500);
});

test('a body that exceeds the remaining bytes keeps its reservation until it is released', async () => {
  const { acquire, gauges } = create(5);
  const slot = acquire('a');
  slot.reserve(900);
  expect(() => slot.reserve(1_001)).toThrow(overloaded);
  expect(await gauges()).toEqual([1, 900]);
  slot.release();
  expect(await gauges()).toEqual([0, 0]);
});
