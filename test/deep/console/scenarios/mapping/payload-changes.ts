// A producer changes its payload (chapter 9.2 of the specification): its events become dead letters, one
// becomes a sample, the mapping gets a fallback field, is compared, tested, activated, the dead letters are
// replayed, and the activation can be rolled back. Unwanted events are discarded.
import { waitForValue } from '../../../../support/processes/client.ts';
import type { Visit } from '../../../../support/console/console.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

const mapping = {
  eventId: { path: 'event_id' },
  contact: {
    externalId: { path: 'lead.id' },
    name: { path: 'lead.name' },
    phone: { path: 'lead.phone', transforms: ['phone'], required: true },
  },
  message: { text: { path: 'text' } },
};
const before = (n: number) => ({
  event_id: `old-${n}`,
  lead: { id: `A-${n}`, name: `Ana ${n}`, phone: `(11) 90000-000${n}` },
  text: 'Hello',
});
const after = (n: number) => ({
  event_id: `new-${n}`,
  lead: { id: `B-${n}`, name: `Bea ${n}`, whatsapp: `(11) 90000-010${n}` },
  text: 'Hello again',
});

const isActive = (hook: string, version: number) =>
  waitForValue(`version ${version} is active`, async () =>
    (await inlet.get(hook)).activeVersion === version ? true : undefined,
  );

/** One dead letter is kept as a sample of the new payload. */
async function keepSample({ textOf, follow, sawToast, takeFromMenu, page }: Visit): Promise<void> {
  await follow(textOf('dead.example'));
  await takeFromMenu(textOf('event.more'), textOf('event.keepSample'));
  await sawToast(textOf('event.sampleKept'));
  await page.goBack();
}

/** From the dead letter to the target, with the new field as fallback. */
async function fixMapping(visit: Visit): Promise<void> {
  const { page, textOf, follow, waitFor, press, takeFromMenu, pressButton } = visit;
  await follow(textOf('dead.fixMapping'));
  await waitFor('region', textOf('mapping.targets'));
  const target = textOf('mapping.target.contact.phone');
  await takeFromMenu(`${textOf('mapping.change')}: ${target}`, textOf('mapping.first'));
  await press(page.getByRole('row', { name: 'whatsapp' }));
  const preview = await waitFor('region', textOf('mapping.preview'));
  await preview.filter({ hasText: /90000-?010[12]/ }).waitFor();
  await pressButton(textOf('repair.saveAndActivate'));
  const dialog = await waitFor('dialog', textOf('versions.activateTitle', { version: 2 }));
  await pressButton(textOf('ui.cancel'), dialog);
  await follow(textOf('mapping.compare'));
}

/** The draft is tested with a test event, which is shown in the chat, marked, and deleted with its effects. */
async function tryDraft(visit: Visit, hook: string): Promise<void> {
  const { textOf, waitFor, find, follow, pressButton, page } = visit;
  await pressButton(textOf('versions.test'));
  const dialog = await waitFor('dialog', textOf('versions.testTitle', { version: 2 }));
  await pressButton(textOf('versions.testSend'), dialog);
  const done = dialog.getByRole('status').filter({ hasText: textOf('state.done') });
  await done.waitFor();
  const [{ eventId, effects }] = (await inlet.list(`${hook}/test-events`)).results;
  const { name } = await inlet.get(`/v1/admin/contacts/${effects.contactId}`);
  expect(name).toMatch(/^Bea [12]$/);
  await follow(textOf('versions.testChat'), dialog);
  await waitFor('region', textOf('inbox.chatWith', { name }));
  const main = find('main', /^/);
  await main.filter({ hasText: textOf('contacts.chat.test') }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Hello again' }).waitFor();
  const made = ['events', 'contacts'].map((kind, at) => [kind, [eventId, effects.contactId][at]]);
  const statuses = () =>
    Promise.all(
      made.map(async ([kind, id]) => (await inlet.ask('GET', `/v1/admin/${kind}/${id}`)).status),
    );
  expect(await statuses()).toEqual([200, 200]);

  await visit.go(hook.replace('/v1/admin', ''));
  await pressButton(textOf('webhook.test.delete'));
  await find('link', textOf('webhook.test.contact')).waitFor({ state: 'detached' });
  expect(await statuses()).toEqual([404, 404]);
}

test('a producer changes its payload', async () => {
  const { id, url } = await inlet.addWebhook('Changing', mapping);
  const hook = `/v1/admin/webhooks/${id}`;
  for (const n of [1, 2]) expect((await inlet.lead(url, before(n))).state).toBe('done');
  const dead = [await inlet.lead(url, after(1)), await inlet.lead(url, after(2))];
  expect(dead.map(({ state }) => state)).toEqual(['dead', 'dead']);

  const path = `/dead-letters?webhookId=${id}`;
  await inlet.visit({ language: 'pt-BR', path }, async (visit) => {
    const { page, textOf, find, waitFor, pressButton, follow, go } = visit;
    await keepSample(visit);
    await fixMapping(visit);

    // The effect on stored events, before any change.
    const passes = textOf('versions.wouldPass', { count: 2 });
    await page.getByRole('status').filter({ hasText: passes }).waitFor();
    await tryDraft(visit, hook);
    expect((await inlet.get(hook)).activeVersion).toBe(1);
    await go(`/webhooks/${id}/versions`);
    await page
      .getByRole('button', { name: textOf('versions.activate') })
      .first()
      .click();
    const dialog = await waitFor('dialog', textOf('versions.activateTitle', { version: 2 }));
    await dialog
      .getByRole('checkbox', { name: textOf('repair.replay', { count: 2 }) })
      .uncheck({ force: true });
    await pressButton(textOf('versions.activateNow', { version: 2 }), dialog);
    await isActive(hook, 2);

    // The dead letters again: a dry run first, then the bulk replay.
    await follow(textOf('versions.toDead'));
    await pressButton(textOf('dead.replayWith', { count: 2, version: 2 }));
    const asked = await waitFor('dialog', textOf('dead.replay.title', { count: 2 }));
    await pressButton(textOf('dead.replay', { count: 2 }), asked);
    await waitFor('heading', textOf('dead.none'));
    const begun = textOf('dead.progress', { done: 2, total: 2, kind: 'replay' });
    const runs = find('region', textOf('dead.runsNow')).filter({ hasText: begun });
    await runs.filter({ hasText: textOf('repair.outcome', { done: 2, failed: 0 }) }).waitFor();
    for (const { id: event } of dead) {
      expect(await inlet.settled(event, ['done'])).toMatchObject({ mappingVersion: 2 });
    }
    expect(await inlet.lead(url, after(3))).toMatchObject({ state: 'done', mappingVersion: 2 });
    expect(await inlet.lead(url, before(3))).toMatchObject({ state: 'done', mappingVersion: 2 });

    // And the rollback.
    await go(`/webhooks/${id}/versions`);
    await pressButton(textOf('versions.rollBack', { version: 1 }));
    await isActive(hook, 1);
  });
});

describe('unwanted events are discarded and can be replayed', () => {
  let title: string;
  let dead: { readonly id: string; readonly reason: string }[];
  let webhookId: string;
  beforeAll(async () => {
    title = 'Given up';
    const hook = await inlet.addWebhook(title, mapping);
    webhookId = hook.id;
    dead = await Promise.all([1, 2, 3].map((n) => inlet.lead(hook.url, after(n))));
  });
  const statesOf = () =>
    Promise.all(dead.map(async ({ id }) => (await inlet.get(`/v1/admin/events/${id}`)).state));

  test('a single event', async () => {
    const [one] = dead;
    await inlet.visit({ path: `/events/${one?.id}` }, async (visit) => {
      const { textOf, find, waitFor, takeFromMenu, pressButton, sawToast } = visit;
      const name = 'new-1';
      await takeFromMenu(textOf('event.more'), textOf('event.discard'));
      const asked = await waitFor('dialog', textOf('event.discard.title', { name }));
      await pressButton(textOf('ui.cancel'), asked);
      expect(await statesOf()).toEqual(['dead', 'dead', 'dead']);
      await takeFromMenu(textOf('event.more'), textOf('event.discard'));
      await pressButton(textOf('event.discard'), asked);
      await sawToast(textOf('event.discard.done'));
      expect(await statesOf()).toEqual(['discarded', 'dead', 'dead']);
      // A discarded event can still be replayed from here.
      await pressButton(textOf('event.replay'));
      const again = await waitFor('dialog', textOf('event.replay.title', { name }));
      await pressButton(textOf('event.replay'), again);
      await inlet.settled(one?.id ?? '', ['dead']);
      await find('button', textOf('event.more')).waitFor();
    });
  });

  test('all events of one reason', async () => {
    const path = `/dead-letters?webhookId=${webhookId}`;
    await inlet.visit({ language: 'es', path }, async (visit) => {
      const { page, textOf, find, waitFor, follow, pressButton, open } = visit;
      const count = 3;
      await pressButton(textOf('dead.discard', { count }));
      const asked = await waitFor('dialog', textOf('dead.discard.title', { count }));
      await asked.filter({ hasText: title }).waitFor();
      await asked.filter({ hasText: textOf('dead.discard.text', { count }) }).waitFor();
      await pressButton(textOf('ui.cancel'), asked);
      expect(await statesOf()).toEqual(['dead', 'dead', 'dead']);
      await pressButton(textOf('dead.discard', { count }));
      await pressButton(textOf('dead.discard', { count }), asked);
      await waitFor('heading', textOf('dead.none'));
      const runs = find('region', textOf('dead.runsNow'));
      await runs
        .filter({
          hasText: textOf('dead.progress', { done: count, total: count, kind: 'discard' }),
        })
        .waitFor();
      expect(await statesOf()).toEqual(['discarded', 'discarded', 'discarded']);
      const { channelId } = await inlet.get(`/v1/admin/webhooks/${webhookId}`);
      const made = await inlet.list(`/v1/admin/contacts?channelId=${channelId}`);
      expect(made.pagings.total).toBe(0);
      // They are still in the list.
      await follow(textOf('shell.events'), find('navigation', textOf('shell.places')));
      await open(`/events?webhookId=${webhookId}&state=discarded`);
      await page.getByRole('row', { name: 'new-1' }).waitFor();
    });
  });
});

test('a rejected list becomes a sample, and an event once the mapping splits it', async () => {
  const title = 'Rejected list';
  const { id, url } = await inlet.addWebhook(title, mapping);
  const hook = `/v1/admin/webhooks/${id}`;
  expect((await inlet.deliver(url, [before(7), before(8)])).status).toBe(400);
  await waitForValue('the rejection is kept', async () =>
    (await inlet.list(`${hook}/rejections`)).pagings.total === 1 ? true : undefined,
  );
  await inlet.visit({ refusals: [/POST .*\/event$/] }, async (visit) => {
    const { page, textOf, waitFor, follow, pressButton, find, open } = visit;
    const notices = find('status', textOf('overview.notices'));
    await find('link', 'Show causes', { where: notices }).waitFor();
    await open(`/webhooks/${id}/rejections`);
    await waitFor('heading', textOf('rejections.code.invalid_body'));
    // The body is shown.
    await waitFor('treeitem', /Ana 7|0/);
    await pressButton(textOf('rejections.record'));
    await page
      .getByRole('status')
      .filter({ hasText: textOf('rejections.state.needs_split') })
      .waitFor();
    await pressButton(textOf('rejections.keep'));
    await waitFor('link', textOf('rejections.toSample'));
    const { version } = await inlet.post(`${hook}/mappings`, {
      mapping: { ...mapping, split: '@' },
    });
    await inlet.post(`${hook}/activate`, { version });
    await pressButton(textOf('rejections.record'));
    await follow(textOf('rejections.toEvent'));
    await waitFor('heading', textOf('event.items', { count: 2 }));
  });
  const done = await waitForValue('both items are done', async () => {
    const { results } = await inlet.list(`/v1/admin/events?webhookId=${id}&state=done`);
    return results.length >= 2 ? results : undefined;
  });
  expect(done.length).toBeGreaterThanOrEqual(2);
});
