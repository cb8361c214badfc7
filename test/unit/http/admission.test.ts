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

test('bytes are held once, as they grow, and given back together', async () => {
  const { acquire, gauges } = create(5);
  const place = acquire();
  for (const bytes of [100, 50, 400]) place.reserve(bytes);
  expect(await gauges()).toEqual([1, 400]);
  const other = acquire();
  expect(() => other.reserve(601)).toThrow(overloaded);
  other.reserve(600);
  expect(await gauges()).toEqual([2, 1_000]);
  place.release();
  other.release();
  expect(await gauges()).toEqual([0, 0]);
});

test('a body that exceeds the remaining bytes keeps its reservation until it is released', async () => {
  const { acquire, gauges } = create(5);
  const place = acquire();
  place.reserve(900);
  expect(() => place.reserve(1_001)).toThrow(overloaded);
  expect(await gauges()).toEqual([1, 900]);
  place.release();
  expect(await gauges()).toEqual([0, 0]);
});
