// The system status: announced to screen readers, and correct while a dependency is down.
import type { Visit } from '../../../../support/console/console.ts';
import { waitForValue } from '../../../../support/processes/client.ts';
import { adminToken } from '../../../../support/processes/roles.ts';
import { leadMapping } from '../../../../support/context/test-context.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

type Health = { data: { redis: { isUp: boolean; queueDepth: number | null } } };

/** The server's answer when Redis is unavailable. */
const withoutRedis = ({ page }: Visit) =>
  page.route(/\/v1\/admin\/stats\/health/, async (route) => {
    const response = await route.fetch();
    const health = (await response.json()) as Health;
    health.data.redis = { isUp: false, queueDepth: null };
    await route.fulfill({ response, json: health });
  });

test('without Redis the console says that nothing is processed', async () => {
  await inlet.addWebhook('Waits for Redis', leadMapping);
  await inlet.visit({ language: 'pt-BR', token: null }, async (visit) => {
    const { page, textOf, find } = visit;
    await withoutRedis(visit);
    await visit.signIn(adminToken);
    const notices = find('status', textOf('overview.notices'));
    await notices.filter({ hasText: textOf('overview.notice.redis') }).waitFor();
    const health = find('region', textOf('overview.health'));
    const workers = health
      .getByRole('listitem')
      .filter({ hasText: textOf('overview.health.workers') });
    await workers.filter({ hasText: textOf('overview.health.worker.waits') }).waitFor();
    expect(await page.getByRole('main').textContent()).not.toContain(
      textOf('overview.health.worker.up'),
    );
  });
});

/** Text added to live regions, which screen readers announce. */
const listen = `
  window.heard = [];
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const place = target.closest?.('[role=status]');
      if (place) for (const node of addedNodes) window.heard.push(node.textContent);
    }
  }).observe(document, { childList: true, subtree: true });
`;

test('the first notices of the overview are announced', async () => {
  await inlet.addWebhook('Unfinished');
  await inlet.visit({}, async (visit) => {
    const { page, textOf } = visit;
    await withoutRedis(visit);
    await page.addInitScript(listen);
    await page.reload();
    await waitForValue('it is heard', async () => {
      const heard = (await page.evaluate('window.heard')) as string[];
      return heard.includes(textOf('overview.notice.redis')) ? true : undefined;
    });
  });
});

test('a replay that waits for Redis says so', async () => {
  const { id, url } = await inlet.addWebhook('Waits to be replayed', leadMapping);
  await inlet.lead(url, { id: 'lost', type: 'lead', text: 'hello', lead: {} });
  await inlet.visit({ path: `/dead-letters?webhookId=${id}`, token: null }, async (visit) => {
    const { page, textOf, find, pressButton, waitFor } = visit;
    await withoutRedis(visit);
    await visit.signIn(adminToken);
    await pressButton(textOf('dead.replay', { count: 1 }));
    const dialog = await waitFor('dialog', textOf('dead.replay.title', { count: 1 }));
    await dialog
      .getByRole('status')
      .filter({ hasText: textOf('dead.noRedis') })
      .waitFor();
    await find('button', textOf('ui.cancel'), { where: dialog }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

test('payload changes are shown on the webhook page', async () => {
  const { id } = await inlet.addWebhook('Changes', leadMapping);
  const warning = (more: object) => ({
    kind: 'missing',
    target: 'contact.phone',
    path: 'lead.phone',
    since: '2026-01-06T12:00:00.000Z',
    before: 0.97,
    after: 0,
    events: 23,
    types: null,
    message: 'contact.phone was there in 97 % of the events, and in none of the last 23.',
    ...more,
  });
  const warnings = [
    warning({}),
    warning({ path: 'lead.code' }),
    warning({ kind: 'new_path', target: null, path: 'lead.nick', after: 0.5 }),
  ];
  const opening = { language: 'pt-BR', path: `/webhooks/${id}`, token: null } as const;
  await inlet.visit(opening, async (visit) => {
    const { page, textOf, follow, waitFor, signIn } = visit;
    await page.route(/\/v1\/admin\/.*\/drift$/, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { data: object };
      const data = { ...answer.data, observedSince: '2026-01-01T12:00:00.000Z', events: 99 };
      await route.fulfill({ response, json: { ...answer, data: { ...data, warnings } } });
    });
    await signIn(adminToken);
    const item = (text: string) => page.getByRole('listitem').filter({ hasText: text });
    const what = textOf('target.contact.phone');
    const gone = textOf('drift.says.missing', { what, before: '97%', events: 23, after: '0%' });
    await item(gone).waitFor();
    await item('lead.nick: ').waitFor();
    // The two phone fields are one change.
    await follow(textOf('webhook.tab.drift'));
    await waitFor('heading', textOf('drift.warnings', { count: 2 }));
    expect(await page.getByRole('main').textContent()).not.toContain('contact.phone');
  });
});
