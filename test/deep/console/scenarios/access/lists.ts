// Links from lists: a version on any page, two compared versions, a renamed token, and the open tab of a
// webhook, also on a phone.
import { waitForValue } from '../../../../support/processes/client.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

let webhook: string;

const saved = 22;
const mappingOf = (n: number) => ({
  contact: { phone: { path: n % 2 === 0 ? 'mobile' : 'phone' } },
  message: { text: { path: 'text', default: `Version ${n}` } },
});

describe('lists', () => {
  beforeAll(async () => {
    const { id } = await inlet.addWebhook('Many versions', mappingOf(1));
    for (let n = 2; n <= saved; n += 1) {
      await inlet.post(`/v1/admin/webhooks/${id}/mappings`, { mapping: mappingOf(n) });
    }
    webhook = `/webhooks/${id}`;
  });

  test('a link to a version highlights it on any page', () =>
    inlet.visit({ path: `${webhook}/versions?version=2` }, async ({ find, textOf }) => {
      const row = find('row', new RegExp(`^${textOf('versions.named', { version: 2 })} `));
      await waitForValue('it is marked', async () =>
        (await row.getAttribute('aria-current')) === 'true' ? true : undefined,
      );
      const pages = find('navigation', textOf('ui.pages'));
      await pages.filter({ hasText: textOf('ui.pageOf', { page: 2, pages: 2 }) }).waitFor();
    }));

  test('any two versions can be compared; the effect on events only with the active one', () =>
    inlet.visit({ path: `${webhook}/versions?compare=22` }, async ({ textOf, waitFor, choose }) => {
      await waitFor('heading', textOf('versions.compareTitle', { version: 22, active: 1 }));
      await waitFor('heading', textOf('versions.effect'));
      await choose(textOf('versions.against'), textOf('versions.named', { version: 20 }));
      const title = textOf('versions.comparePair', { version: 22, against: 20 });
      const card = await waitFor('region', title);
      await card.filter({ hasText: textOf('versions.effectOfActive') }).waitFor();
    }));

  test('a bar of the chart is reached with the arrow keys, and opens its events', async () => {
    const { id, url } = await inlet.addWebhook('Chart', mappingOf(1));
    const { receivedAt } = await inlet.lead(url, {
      phone: '+5511900000001',
      text: 'for the chart',
    });
    await inlet.visit({ path: '/' }, async ({ page, textOf, find, key, waitFor }) => {
      const chart = page.getByRole('toolbar');
      const bars = chart.getByRole('link');
      await bars.first().focus();
      await key('ArrowRight');
      await find('tooltip', /./).waitFor();
      expect(await find('tooltip', /./).textContent()).toMatch(/received/);
      await bars.last().focus();
      await key('Enter');
      await waitFor('heading', textOf('shell.events'));
      const { searchParams } = new URL(page.url());
      const [from, to] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name) ?? ''));
      expect((to ?? 0) - (from ?? 0)).toBe(3_599_999);
      const shown = await inlet.list(`/v1/admin/events?${searchParams.toString()}&webhookId=${id}`);
      // Another hour may have begun since.
      const isInHour = Date.parse(receivedAt) >= (from ?? 0);
      expect(shown.pagings.total).toBe(isInHour ? 1 : 0);
    });
  });

  test('a token is renamed, and a concurrent change is rejected', async () => {
    const { id } = await inlet.post('/v1/admin/tokens', { name: 'Panel', scopes: ['viewer'] });
    const refusals = [/PATCH \/v1\/admin\/tokens\//];
    await inlet.visit({ path: '/tokens', refusals }, async (visit) => {
      const { textOf, waitFor, type, pressButton } = visit;
      await pressButton(textOf('tokens.editOne', { name: 'Panel' }));
      const dialog = await waitFor('dialog', textOf('tokens.edit.title', { name: 'Panel' }));
      await dialog.getByLabel(textOf('tokens.name'), { exact: true }).waitFor();
      await inlet.patch(`/v1/admin/tokens/${id}`, { name: 'Wall panel' });
      await type(textOf('tokens.name'), 'Sales panel', dialog);
      await pressButton(textOf('ui.save'), dialog);
      await pressButton(textOf('tokens.edit.again'), dialog);
      await waitForValue('what the other wrote is there', async () =>
        (await dialog.getByLabel(textOf('tokens.name'), { exact: true }).inputValue()) ===
        'Wall panel'
          ? true
          : undefined,
      );
      await type(textOf('tokens.name'), 'Sales panel', dialog);
      await pressButton(textOf('ui.save'), dialog);
      await waitFor('button', textOf('tokens.editOne', { name: 'Sales panel' }));
    });
    expect((await inlet.get(`/v1/admin/tokens/${id}`)).name).toBe('Sales panel');
  });

  test('a late response closes only its own dialog', async () => {
    for (const name of ['Slow', 'Next']) {
      await inlet.post('/v1/admin/tokens', { name, scopes: ['viewer'] });
    }
    await inlet.visit(
      { path: '/tokens' },
      async ({ page, textOf, find, waitFor, type, pressButton }) => {
        await pressButton(textOf('tokens.editOne', { name: 'Slow' }));
        const first = await waitFor('dialog', textOf('tokens.edit.title', { name: 'Slow' }));
        await type(textOf('tokens.name'), 'Slower', first);
        let answer = () => {};
        const isAsked = new Promise<void>((resolve) => {
          answer = resolve;
        });
        await page.route(/\/v1\/admin\/tokens\/[\w-]+$/, async (route) => {
          if (route.request().method() === 'PATCH') await isAsked;
          await route.continue();
        });
        await pressButton(textOf('ui.save'), first);
        await pressButton(textOf('ui.cancel'), first);
        await first.waitFor({ state: 'detached' });
        await pressButton(textOf('tokens.editOne', { name: 'Next' }));
        const second = await waitFor('dialog', textOf('tokens.edit.title', { name: 'Next' }));
        await second.getByLabel(textOf('tokens.name'), { exact: true }).waitFor();
        answer();
        // The list behind the dialog was reloaded.
        const edited = textOf('tokens.editOne', { name: 'Slower' });
        await find('button', edited, { includeHidden: true }).waitFor();
        expect(await second.count()).toBe(1);
      },
    );
  });

  test('on a phone the open tab of a webhook is visible, also after resizing', () =>
    inlet.visit({ width: 390, path: `${webhook}/settings` }, async ({ page, textOf, waitFor }) => {
      const tabs = await waitFor('navigation', textOf('webhook.tabs'));
      const inSight = (name: string) =>
        waitForValue(`${name} is in sight`, async () => {
          const box = await tabs.getByRole('link', { name }).boundingBox();
          return box && box.x >= 0 && box.x + box.width <= 390 ? true : undefined;
        });
      await inSight(textOf('webhook.tab.settings'));
      await page.setViewportSize({ width: 1280, height: 800 });
      // Two sizes within one frame are no change to a ResizeObserver.
      // Not with `waitForFunction`, whose second look the policy of the page refuses.
      await waitForValue('the page is resized', async () =>
        (await page.evaluate('innerWidth === 1280')) ? true : undefined,
      );
      await page.evaluate(
        'new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))',
      );
      await page.setViewportSize({ width: 390, height: 800 });
      await inSight(textOf('webhook.tab.settings'));
    }));
});
