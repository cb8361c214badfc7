// The message composer: an order has a useful message at once, and text with fields is edited as pills.
import type { Locator } from 'playwright-core';
import { waitForValue } from '../../../../support/processes/client.ts';
import type { Visit } from '../../../../support/console/console.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

const order = {
  order_number: 1029,
  currency: 'BRL',
  total_price: '199.90',
  note: 'Deixar na portaria',
  customer: { id: 115, first_name: 'Maria', last_name: 'Silva', email: 'maria@example.com' },
  line_items: [
    { id: 1, title: 'Camiseta' },
    { id: 2, title: 'Boné' },
  ],
};

async function visitMapping(
  payloads: readonly object[],
  story: (visit: Visit, webhookId: string) => Promise<void>,
): Promise<void> {
  const hook = await inlet.addWebhook('Composed');
  for (const payload of payloads) await inlet.deliver(hook.url, payload);
  await inlet.visit({ path: `/webhooks/${hook.id}/mapping`, height: 1200 }, async (visit) => {
    await visit.waitFor('region', visit.textOf('mapping.targets'));
    await story(visit, hook.id);
  });
}

const editorOf = ({ waitFor, textOf }: Visit): Promise<Locator> =>
  waitFor('textbox', textOf('mapping.target.message.text'));

/** The message of the shown payload, as the agent will see it. */
async function previewed({ waitFor, textOf }: Visit, text: string | RegExp): Promise<void> {
  const card = await waitFor('region', textOf('mapping.preview.chat'));
  await card.filter({ hasText: text }).waitFor();
}

async function savedTemplate({ pressButton, textOf, page }: Visit, webhookId: string) {
  await pressButton(textOf('mapping.save'));
  const saved = textOf('mapping.savedHint', { version: 1 });
  await page.getByRole('status').filter({ hasText: saved }).waitFor();
  const { mapping } = await inlet.get(`/v1/admin/webhooks/${webhookId}/mappings/1`);
  return mapping.message.text.template as string;
}

test('an order has a message that says what was ordered, without a click', () =>
  visitMapping([order], async (visit, id) => {
    await previewed(visit, /Order number: 1029.*Line items: Camiseta, Boné.*199\.90 BRL/s);
    expect(await savedTemplate(visit, id)).toContain('{{order_number}}');
  }));

test('fields are inserted and left out when empty, with the result at once', () =>
  visitMapping([{ ...order, note: '' }, order], async (visit, id) => {
    const { find, key, page, press, pressButton, takeFromMenu, textOf, waitFor } = visit;
    const editor = await editorOf(visit);
    await editor.focus();
    await key('Control+a');
    await key('Delete');
    await page.keyboard.type('Hello ');
    await pressButton(textOf('mapping.composer.insert'));
    // Filters by name and by value, without accents or case.
    await page.keyboard.type('MARIA');
    await press(page.getByRole('menuitem', { name: /first_name/ }));
    await waitForValue('the editor has the focus', () =>
      page.evaluate('document.activeElement.role === "textbox" || undefined'),
    );
    await page.keyboard.press('Enter');
    await page.keyboard.type('Note: ');
    await takeFromMenu(textOf('mapping.composer.insert'), /^note/);
    await previewed(visit, /Hello Maria\s+Note: Deixar na portaria/);

    const optional = find('button', textOf('mapping.composer.optional'));
    expect(await optional.getAttribute('aria-pressed')).toBe('false');
    await press(optional);
    await find('button', textOf('mapping.composer.optional'), { pressed: true }).waitFor();
    await pressButton(textOf('mapping.payload.older'));
    const card = await waitFor('region', textOf('mapping.preview.chat'));
    await card.filter({ hasText: 'Hello Maria' }).filter({ hasNotText: 'Note' }).waitFor();
    expect(await savedTemplate(visit, id)).toBe(
      'Hello {{customer.first_name}}\n{{#if note}}Note: {{note}}{{/if}}',
    );
  }));

test('a pill is deleted in one step, and the end of an optional part with its beginning', () =>
  visitMapping([order], async (visit, id) => {
    const { key } = visit;
    await (await editorOf(visit)).focus();
    await key('Control+Home');
    // The condition of the first line: "if order number".
    await key('Delete');
    await previewed(visit, /Order number: 1029/);
    const template = await savedTemplate(visit, id);
    expect(template.split('\n')[0]).toBe('Order number: {{order_number}}');
    expect(template.split('\n')[1]).toMatch(/^\{\{#if /);
  }));

test('a single field becomes a composed text with one choice', () =>
  visitMapping([{ id: 7, email: 'ana@example.com', message: 'Bom dia!' }], async (visit, id) => {
    const { page, takeFromMenu, textOf } = visit;
    const label = textOf('mapping.target.message.text');
    await takeFromMenu(`${textOf('mapping.change')}: ${label}`, textOf('mapping.compose'));
    await (await editorOf(visit)).focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Lead: ');
    await previewed(visit, 'Lead: Bom dia!');
    expect(await savedTemplate(visit, id)).toBe('Lead: {{message}}');
  }));
