// The event list, as a person on call uses it: a person's event is found by any text, read beside the list, and handled with others.
import { waitForValue } from '../../../../support/processes/client.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

let hook: Awaited<ReturnType<typeof inlet.addWebhook>>;

const mapping = {
  eventId: { path: 'id' },
  eventType: { path: 'type' },
  contact: {
    name: { path: 'name' },
    phone: { path: 'phone', transforms: ['phone'], required: true },
  },
  message: { text: { path: 'text' } },
};
const phoneOf = (n: number) => `+55 11 90000-02${String(n).padStart(2, '0')}`;
const lead = (n: number, over: object = {}) => ({
  id: `lead-${n}`,
  type: 'lead.created',
  name: `Person ${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[n % 26]} ${n}`,
  phone: phoneOf(n),
  text: `I want number ${n}.`,
  ...over,
});

async function failing(...ids: string[]): Promise<string[]> {
  const made: string[] = [];
  for (const id of ids) {
    const { data } = await inlet.deliver(hook.url, { ...lead(0), id, phone: undefined });
    made.push(data.eventId ?? '');
  }
  for (const id of made) await inlet.settled(id, ['dead']);
  return made;
}

describe('the event list', () => {
  beforeAll(async () => {
    hook = await inlet.addWebhook('Leads', mapping);
    const numbers = Array.from({ length: 30 }, (_, n) => n);
    await inlet.leads(
      hook.url,
      numbers.map((n) => lead(n)),
    );
    await inlet.lead(hook.url, lead(90, { name: 'Ana Souza', text: 'A red bike, please.' }));
  });

  test('a search by name, phone, message or id finds the event of a person, and a click reads it beside the list', () =>
    inlet.visit({ path: '/events' }, async (visit) => {
      const { page, find, key, type, press, textOf, waitFor, count } = visit;
      for (const text of ['ana sou', '(11) 90000-0290', 'red bike', 'lead-90']) {
        await type(textOf('events.filter.search'), '');
        await key('Enter');
        await waitFor('row', /Person/);
        const before = count.clicks;
        await type(textOf('events.filter.search'), text);
        await key('Enter');
        await find('row', /Person/)
          .first()
          .waitFor({ state: 'detached' });
        const row = await waitFor('row', /Ana Souza.*A red bike, please\..*lead\.created/);
        await press(row.getByRole('cell', { name: 'A red bike, please.' }));
        const panel = await waitFor('complementary', textOf('events.peek'));
        await waitFor('link', 'Ana Souza', panel);
        await waitFor('tree', textOf('event.payload'), panel);
        expect(count.clicks - before).toBe(1);
        await key('Escape');
        await panel.waitFor({ state: 'detached' });
        expect(new URL(page.url()).searchParams.get('search')).toBe(text);
      }
    }));

  test('the list is used by keyboard alone', () =>
    inlet.visit({ path: '/events' }, async ({ page, find, key, textOf, waitFor, field }) => {
      await waitFor('row', /Ana Souza/);
      await key('?');
      await waitFor('dialog', textOf('ui.shortcuts'));
      await key('Escape');
      await find('dialog', textOf('ui.shortcuts')).waitFor({ state: 'detached' });
      const focused = () => page.evaluate('document.activeElement.closest("tr")?.dataset.row');
      await key('j');
      const first = await waitForValue('the first row has the focus', focused);
      await key('j');
      await waitForValue('the second row has the focus', async () =>
        (await focused()) === first ? undefined : true,
      );
      await key('k');
      await waitForValue('the first row has it again', async () =>
        (await focused()) === first ? true : undefined,
      );
      await key('p');
      const panel = await waitFor('complementary', textOf('events.peek'));
      await waitFor('link', 'Ana Souza', panel);
      await key('j');
      await waitFor('link', /^Person/, panel);
      await key('Escape');
      await panel.waitFor({ state: 'detached' });
      await key('x');
      await waitFor('group', textOf('events.bulk'));
      await key('/');
      const search = field(textOf('events.filter.search'));
      await key('j');
      expect(await search.inputValue()).toBe('j');
    }));

  test('selected events are discarded and replayed; the confirmation says how many allow it', async () => {
    const ids = await failing('broken-1', 'broken-2');
    await inlet.visit({ path: '/events?search=broken-' }, async (visit) => {
      const { find, key, pressButton, textOf, waitFor } = visit;
      await waitFor('row', /lead\.created/);
      await find('checkbox', textOf('events.selectAll')).focus();
      await key('Space');
      const bulk = await waitFor('group', textOf('events.bulk'));
      await pressButton(textOf('events.discard'), bulk);
      const title = textOf('events.bulk.discard.title', { count: 2 });
      const dialog = await waitFor('dialog', title);
      await pressButton(textOf('events.bulk.discard.action', { count: 2 }), dialog);
      for (const id of ids) await inlet.settled(id, ['discarded']);
      await waitForValue('both rows show it', async () =>
        (await find('row', new RegExp(textOf('state.discarded'))).count()) === 2 ? true : undefined,
      );
    });
    await inlet.visit({ path: '/events' }, async (visit) => {
      const { find, key, pressButton, textOf, waitFor } = visit;
      const done = await waitFor('row', /Ana Souza/);
      const discarded = find('row', new RegExp(textOf('state.discarded'))).first();
      for (const row of [done, discarded]) {
        await row.getByRole('checkbox').focus();
        await key('Space');
      }
      await pressButton(textOf('event.replay'), await waitFor('group', textOf('events.bulk')));
      const dialog = await waitFor('dialog', textOf('events.bulk.replay.title', { count: 2 }));
      await pressButton(textOf('events.bulk.replay.action', { count: 1 }), dialog);
      const result = await waitFor('region', textOf('events.bulk.replay.result'));
      const outcome = textOf('repair.outcome', { done: 0, failed: 1 });
      await result.getByRole('status').filter({ hasText: outcome }).waitFor();
      await waitFor('row', new RegExp(textOf('state.dead')));
    });
  });

  test('columns and saved searches are there after a reload', () =>
    inlet.visit({ path: '/events?state=done' }, async (visit) => {
      const { page, find, key, press, pressButton, textOf, waitFor, type } = visit;
      await waitFor('row', /Ana Souza/);
      await pressButton(textOf('events.columns'));
      await press(find('menuitemcheckbox', textOf('events.column.attempts')));
      await press(find('menuitemcheckbox', textOf('events.column.webhook')));
      await key('Escape');
      await pressButton(textOf('events.saved.save'));
      const dialog = await waitFor('dialog', textOf('events.saved.save'));
      await type(textOf('events.saved.name'), 'All done', dialog);
      await pressButton(textOf('ui.save'), dialog);
      await waitFor('button', 'All done');
      await pressButton(textOf('events.filter.clear'));
      await waitForValue('the filter is gone', async () =>
        new URL(page.url()).search === '' ? true : undefined,
      );
      await page.reload();
      await waitFor('columnheader', textOf('events.column.attempts'));
      expect(await find('columnheader', textOf('events.column.webhook')).count()).toBe(0);
      await pressButton('All done');
      await waitForValue('the filter is back', async () =>
        new URL(page.url()).searchParams.get('state') === 'done' ? true : undefined,
      );
      await pressButton(textOf('events.saved.delete', { name: 'All done' }));
      await waitFor('button', textOf('events.saved.save'));
    }));

  test('the header stays in view, and rows are at most 38 pixels high', () =>
    inlet.visit({ path: '/events' }, async ({ page, find, textOf, waitFor }) => {
      const row = await waitFor('row', /Ana Souza/);
      expect((await row.boundingBox())?.height).toBeLessThanOrEqual(38);
      await page.mouse.wheel(0, 900);
      const header = find('columnheader', textOf('events.column.contact'));
      await waitForValue('the page is scrolled', async () =>
        ((await row.boundingBox())?.y ?? 0) < -100 ? true : undefined,
      );
      expect((await header.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    }));
});
