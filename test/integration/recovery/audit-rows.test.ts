// A change of one event by a person and its audit row are written together or not at all.
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { discardRecord, replayRecord } from '../../../src/recovery/replay.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('audited');
});
afterAll(() => context.close());

const actor = { tokenId: 'test', name: 'Ana' };
const events = () => collectionOf<EventRecord>(context.connection, 'events');

async function addDead(id: string): Promise<string> {
  const eventId = await context.send(await context.addWebhook(), { id, lead: { id } });
  const finishedAt = new Date();
  const dead = { state: 'dead', reason: 'contact_unidentified', nextAt: null, finishedAt } as const;
  await events().updateOne({ _id: eventId }, { $set: dead, $unset: { open: '' } });
  return eventId;
}

test.each(['discard', 'replay', 'remap'] as const)(
  'a %s whose audit row cannot be written does not happen, and one that happens has its row',
  async (change) => {
    const id = await addDead(change);
    const ctx = context.newResources();
    const decide = () =>
      change === 'discard'
        ? discardRecord(ctx, id, actor)
        : replayRecord(ctx, { id, change }, actor);
    const db = context.connection.getClient().db(context.connection.name);
    const accept = (validator: object) => db.command({ collMod: 'audit', validator });
    await accept({ nothing: true });
    await expect(decide()).rejects.toThrow('Document failed validation');
    await accept({});
    expect(await context.stores.events.get(id)).toMatchObject({ state: 'dead', generation: 0 });
    await decide();
    const rows = await context.connection.collection('audit').find({ 'target.id': id }).toArray();
    expect(rows).toMatchObject([{ action: `event.${change}`, before: { state: 'dead' } }]);
  },
);
