import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { createAdmission } from '../../../src/http/receiving/admission.ts';

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

test('a request beyond the limit of requests in flight is rejected until another ends', () => {
  const { acquire } = create(2);
  const first = acquire();
  acquire();
  expect(() => acquire()).toThrow(overloaded);
  first.release();
  acquire();
});

test('bytes are counted once, as they grow, and released together', async () => {
  const { acquire, gauges } = create(5);
  const slot = acquire();
  for (const bytes of [100, 50, 400]) slot.reserve(bytes);
  expect(await gauges()).toEqual([1, 400]);
  const other = acquire();
  expect(() => other.reserve(601)).toThrow(overloaded);
  other.reserve(600);
  expect(await gauges()).toEqual([2, 1_000]);
  slot.release();
  other.release();
  expect(await gauges()).toEqual([0, 0]);
});

test('a body that exceeds the remaining bytes keeps its reservation until it is released', async () => {
  const { acquire, gauges } = create(5);
  const slot = acquire();
  slot.reserve(900);
  expect(() => slot.reserve(1_001)).toThrow(overloaded);
  expect(await gauges()).toEqual([1, 900]);
  slot.release();
  expect(await gauges()).toEqual([0, 0]);
});
