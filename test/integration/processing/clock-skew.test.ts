// Machines whose clocks differ by ten minutes: their writes use the database's time.
import { join } from 'node:path';
import { leadMapping } from '../../support/context/test-context.ts';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';
import type { Webhook } from '../../support/processes/client.ts';

const preload = join(import.meta.dirname, '../../support/processes/clock-skew.mjs');
const off = (minutes: number) => ({
  NODE_OPTIONS: `--import=${preload}`,
  SKEW_MS: String(minutes * 60_000),
});

let inlet: Deployment;
let webhook: Webhook;
beforeAll(async () => {
  inlet = await createDeployment('skew', { env: { INLET_LEASE_MS: '60000' } });
  await inlet.start('server', off(10));
  webhook = await inlet.client.addActiveWebhook(leadMapping);
});
afterAll(() => inlet.close());

type Stored = { _id: string } & Record<string, Date>;
const one = async (collection: string): Promise<Stored> => {
  const found = await inlet.db.collection<Stored>(collection).findOne({});
  if (!found) throw new Error(`${collection} is empty.`);
  return found as Stored;
};
const databaseNow = async (): Promise<number> =>
  +((await inlet.db.command({ hello: 1 })).localTime as Date);

/** Long enough for a slow machine, and far below ten minutes. */
const nearMs = 120_000;
async function expectNow(date: Date | undefined): Promise<void> {
  expect(Math.abs(+(date ?? 0) - (await databaseNow()))).toBeLessThan(nearMs);
}

// Undated: such events rank by their receipt.
const lead = (id: string, name: string) => ({
  id,
  text: 'hello',
  lead: { name, phone: '+55 11 90000-0001' },
});

test('a server that is ahead neither dates events ahead nor keeps the sweeper from them', async () => {
  await inlet.client.deliverPatiently(webhook.key, lead('e1', 'First'));
  const event = await one('events');
  await expectNow(event.receivedAt);
  await expectNow(event.nextAt);
});

test('of two undated events the later receipt wins, though its server is twenty minutes behind the other', async () => {
  await inlet.start('server', off(-10));
  const { data } = await inlet.client.deliverPatiently(webhook.key, lead('e2', 'Second'));
  await inlet.start('worker', off(10));
  await inlet.client.settled(data.eventId ?? '');
  const { results } = await inlet.client.call('listEvents', {});
  for (const { id } of results) {
    expect(await inlet.client.settled(id)).toMatchObject({ state: 'done', attempts: 1 });
  }
  const contact = await inlet.db.collection('contacts').findOne({});
  expect(contact?.registers.name.value).toBe('Second');
});

test('effects of a worker that is ahead have the current date', async () => {
  await expectNow((await one('contacts')).createdAt);
  await expectNow((await one('chats')).startedAt);
  await expectNow((await one('messages')).createdAt);
});
