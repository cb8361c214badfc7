import { newId } from '../../../src/base/ids.ts';
import { connectMongo } from '../../../src/store/db/connection.ts';
import { migrate } from '../../../src/store/db/migrate.ts';
import { allIndexes } from '../../../src/store/all-indexes.ts';
import { createStores } from '../../../src/store/stores.ts';
import { getEventMessages } from '../../../src/store/chats/messages.ts';
import { runFor } from '../../support/processes/client.ts';
import { startMongo } from '../../support/services/services.ts';
import { insertChannel } from '../../../src/store/channels/channels.ts';
import {
  findWebhooksByKeyHashes,
  markWebhookArchived,
} from '../../../src/store/webhooks/webhooks.ts';

const actor = { tokenId: newId(), name: 'Ana' };

test('reads and transactions soon report a lost database as unavailable', async () => {
  const mongo = await startMongo();
  const connection = await connectMongo(mongo.url);
  try {
    await migrate(connection, allIndexes);
    const stores = createStores(connection);
    const { inbox, tokens } = stores;
    await insertChannel(stores, { name: 'Inbox', kind: 'inbox', settings: {} }, actor);
    await mongo.stop();
    const tried = Promise.allSettled([
      tokens.findByHash('x'),
      inbox.getContact(newId()),
      getEventMessages(stores, [newId()]),
      findWebhooksByKeyHashes(stores, ['x'], new Date()),
      markWebhookArchived(stores, newId(), actor),
      insertChannel(stores, { name: 'Inbox', kind: 'inbox', settings: {} }, actor),
    ]);
    const tries = await Promise.race([tried, runFor(20_000).then(() => [])]);
    expect(tries).toHaveLength(6);
    expect(
      tries.map((one) => one.status === 'rejected' && (one.reason as { code: unknown }).code),
    ).toEqual(tries.map(() => 'unavailable'));
  } finally {
    await connection.close();
    await mongo.close();
  }
});
