// The scenario that exposes a write concern below majority: events arrive while only the primary can store them.
import { waitForValue } from '../../../support/processes/client.ts';
import type { ReplicaSet } from '../cluster/replica-set.ts';
import type { TestBed } from '../cluster/test-bed.ts';
import { createRandom } from '../load/random.ts';
import { requestFor } from './mutation-scenarios.ts';

const count = 8;
const failOverMs = 60_000;

/**
 * Separates the primary from the others, sends events to the server, which still reaches it, and joins it again when
 * another member was elected. Returns once all senders have ended.
 */
export async function partitionPrimary(testBed: TestBed, set: ReplicaSet): Promise<void> {
  const random = createRandom(8);
  const old = await set.primary();
  set.isolate(old);
  const sending = Array.from({ length: count }, () =>
    testBed.sender.deliver(requestFor(testBed, 'crm'), random),
  );
  await waitForValue(
    'another member is the primary',
    async () => ((await set.primary()) === old ? undefined : true),
    failOverMs,
  );
  set.rejoin(true);
  await set.heal();
  await Promise.all(sending);
}
