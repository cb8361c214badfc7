// Notices in the console: a person sets up a target and tests it, an event dies, and the notice arrives and is shown.
import type { ChannelHealth } from '../../../../src/domain/messages/channel-health.ts';
import { changesOf, sentTo, type SentNotices } from '../../../support/context/notices.ts';
import { leadMapping } from '../../../support/context/test-context.ts';
import { waitForValue } from '../../../support/processes/client.ts';
import {
  respondWith,
  startDestination,
  type Destination,
} from '../../../support/services/destination.ts';
import { inlet } from '../../../support/console/shared-console.ts';

let destination: Destination;
beforeAll(async () => {
  destination = await startDestination();
});
afterAll(() => destination.close());

test('a target that was set up and tested receives the notice of an event that dies', async () => {
  const name = 'Leads of the campaign';
  const hook = await inlet.addWebhook(name, leadMapping);
  await inlet.visit({ path: '/notices' }, async (visit) => {
    const { textOf, find, pressButton, waitFor, type, page } = visit;
    await pressButton(textOf('notices.target.new'));
    const dialog = await waitFor('dialog', textOf('notices.target.new'));
    await type(textOf('notices.target.name'), 'On call', dialog);
    await type(textOf('channels.setting.url'), destination.url, dialog);
    await pressButton(textOf('notices.target.create'), dialog);
    await dialog.waitFor({ state: 'detached' });
    await pressButton(textOf('notices.target.test'));
    await page
      .getByRole('status')
      .filter({ hasText: textOf('notices.target.tested') })
      .waitFor();
    expect(sentTo<{ test: boolean }>(destination)).toMatchObject([{ test: true }]);

    await inlet.deliver(hook.url, { id: 'without a contact' });
    const sent = await waitForValue('the notice', () => sentTo<SentNotices>(destination)[1]);
    expect(changesOf(sent)).toEqual(['first_dead opened']);
    expect(sent.notices[0]?.text).toContain(name);
    await page.reload();
    await find('link', name).first().waitFor();
  });
});

/** A channel that has failed for an hour. */
async function addFailingChannel(name: string): Promise<void> {
  const body = { name, kind: 'http', settings: { url: destination.url } };
  const { id } = await inlet.post('/v1/admin/channels', body);
  const failingSince = new Date(Date.now() - 3_600_000);
  const health = { failures: 40, since: failingSince, failingSince, lastAt: new Date() };
  await inlet.db
    .collection<ChannelHealth>('channelHealth')
    .insertOne({ _id: id, ...health, reason: 'destination_unavailable:503' });
}

test('open notices are on the overview, and one that its target refused is sent again', async () => {
  await addFailingChannel('Sales system');
  const hook = await inlet.addWebhook('Leads of the shop', leadMapping);
  destination.answerWith(respondWith(410));
  const before = destination.posts.length;
  await inlet.deliver(hook.url, { id: 'without a contact either' });
  await waitForValue('the refused notice', () => destination.posts[before]);
  const dead = () => inlet.get('/v1/admin/notices/deliveries?state=dead');
  await waitForValue('its record', async () =>
    (await dead()).pagings.total === 1 ? true : undefined,
  );
  destination.answerWith(respondWith(200));
  await inlet.visit({ path: '/' }, async (visit) => {
    const { textOf, find, pressButton, follow } = visit;
    const notices = find('status', textOf('overview.notices'));
    await notices.getByRole('listitem').filter({ hasText: 'Sales system' }).waitFor();
    expect(await notices.filter({ hasText: textOf('overview.well') }).count()).toBe(0);
    await follow(textOf('overview.openNotices', { count: 1 }), notices);
    await find('heading', textOf('notices.dead', { count: 1 })).waitFor();
    await pressButton(textOf('notices.dead.retryAll'));
    await find('heading', textOf('notices.dead', { count: 1 })).waitFor({ state: 'detached' });
  });
  const again = await waitForValue('the notice again', () => destination.posts[before + 1]);
  expect(again.headers['webhook-id']).toBe(destination.posts[before]?.headers['webhook-id']);
});
