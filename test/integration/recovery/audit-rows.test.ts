// A change of one event by a person and its audit row are written together or not at all.
import { systemClock } from '../../../src/base/clock.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { createRecovery } from '../../../src/recovery/replay.ts';
import { collectionOf } from '../../../src/store/db/connection.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let world: TestContext;
beforeAll(async () => {
  world = await createTestContext('audited');
});
afterAll(() => world.close());

const actor = { tokenId: 'test', name: 'Ana' };
const events = () => collectionOf<EventRecord>(world.connection, 'events');

async function addDead(id: string): Promise<string> {
  const eventId = await world.send(await world.addWebhook(), { id, lead: { id } });
  const finishedAt = new Date();
  const dead = { state: 'dead', reason: 'contact_unidentified', nextAt: null, finishedAt } as const;
  await events().updateOne({ _id: eventId }, { $set: dead, $unset: { open: '' } });
  return eventId;
}

test.each(['discard', 'replay', 'remap'] as const)(
  'a %s whose audit row cannot be written does not happen, and one that happens has its row',
  async (change) => {
    const id = await addDead(change);
    const recovery = createRecovery({
      ...world.stores,
      queue: { hint: () => {} },
      metrics: createMetrics(),
      clock: systemClock,
    });
    const decide = () =>
      change === 'discard'
        ? recovery.discardEvent(id, actor)
        : recovery.replayEvent(id, change, actor);
    const db = world.connection.getClient().db(world.connection.name);
    const accept = (validator: object) => db.command({ collMod: 'audit', validator });
    await accept({ nothing: true });
    await expect(decide()).rejects.toThrow('Document failed validation');
    await accept({});
    expect(await world.stores.events.get(id)).toMatchObject({ state: 'dead', generation: 0 });
    await decide();
    const rows = await world.connection.collection('audit').find({ 'target.id': id }).toArray();
    expect(rows).toMatchObject([{ action: `event.${change}`, before: { state: 'dead' } }]);
  },
);
