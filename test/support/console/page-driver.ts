// Drives a page like a user: finds everything by role and accessible name, and counts clicks, keys and pastes.
import type { Locator, Page } from 'playwright-core';
import { waitForValue } from '../processes/client.ts';
import { createNetworkIdle } from './network-idle.ts';
import type { TextOf } from './messages.ts';

type Role = Parameters<Page['getByRole']>[0];
type Name = string | RegExp;
/** The scope of a search: the page or a part of it. */
type Where = Pick<Locator, 'getByRole' | 'getByLabel'>;
type State = Omit<NonNullable<Parameters<Page['getByRole']>[1]>, 'name' | 'exact'> & {
  readonly where?: Where;
};

export type PageDriver = ReturnType<typeof createPageDriver>;

const beginningWith = (words: string): RegExp =>
  new RegExp(`^${words.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?:\\s|$)`);

async function sawToast(page: Page, words: string): Promise<void> {
  await waitForValue(`the toast “${words}”`, async () => {
    const shown = await page.evaluate<string[]>('[...shownToasts.values()]');
    return shown.some((text) => text.includes(words)) ? true : undefined;
  });
}

export function createPageDriver(page: Page, textOf: TextOf) {
  const count = { clicks: 0, keys: 0, pastes: 0 };
  const waitForIdle = createNetworkIdle(page);

  /** A string matches the whole name. */
  const find = (role: Role, name: Name, { where = page, ...state }: State = {}): Locator =>
    where.getByRole(role, { ...state, name, exact: true });

  /** An option whose hint, if any, is part of its name. */
  const findChoice = (role: 'option' | 'menuitem', name: Name): Locator =>
    page.getByRole(role, { name: typeof name === 'string' ? beginningWith(name) : name });

  async function press(what: Locator): Promise<void> {
    await waitForIdle();
    await what.click();
    count.clicks += 1;
  }

  return {
    count,
    find,
    press,
    /** Waits for the element and returns it. */
    waitFor: async (role: Role, name: Name, where: Where = page): Promise<Locator> => {
      const found = find(role, name, { where });
      await found.first().waitFor();
      return found.first();
    },
    pressButton: (name: Name, where: Where = page) => press(find('button', name, { where })),
    follow: (name: Name, where: Where = page) => press(find('link', name, { where })),
    field: (label: Name, where: Where = page) => where.getByLabel(label, { exact: true }),
    /** Counted by key; filled at once. */
    type: async (label: Name, text: string, where: Where = page): Promise<void> => {
      await where.getByLabel(label, { exact: true }).fill(text);
      count.keys += text.length;
    },
    paste: async (label: Name, text: string, where: Where = page): Promise<void> => {
      await where.getByLabel(label, { exact: true }).fill(text);
      count.pastes += 1;
    },
    /** Drags with the mouse: presses, moves, and releases once `ready` is attached. */
    drag: async (what: Locator, onto: Locator, ready: Locator): Promise<void> => {
      await waitForIdle();
      await what.hover();
      await page.mouse.down();
      const from = await what.boundingBox();
      if (!from) throw new Error('What is dragged is not visible.');
      await page.mouse.move(from.x + 60, from.y + 4, { steps: 5 });
      await ready.waitFor({ state: 'attached' });
      const to = await onto.boundingBox();
      if (!to) throw new Error('The target of the drag is not visible.');
      for (const step of [6, 10]) {
        await page.mouse.move(to.x + step, to.y + step, { steps: 5 });
        await page.evaluate('new Promise((go) => requestAnimationFrame(() => go()))');
      }
      await page.mouse.up();
      count.clicks += 1;
    },
    key: async (name: string): Promise<void> => {
      await page.keyboard.press(name);
      count.keys += 1;
    },
    /** Opens a select, whose button name contains the label, and chooses an option. */
    choose: async (label: string, choice: Name, where: Where = page): Promise<void> => {
      await press(where.getByRole('button', { name: label }));
      await press(findChoice('option', choice));
    },
    /** Types into a combo box until its options are few, and chooses one. */
    search: async (label: Name, choice: string, where: Where = page): Promise<void> => {
      const box = find('combobox', label, { where });
      await box.fill(choice);
      count.keys += choice.length;
      await press(findChoice('option', choice));
      await find('combobox', label, { where, expanded: false }).waitFor();
    },
    takeFromMenu: async (button: Name, item: Name, where: Where = page): Promise<void> => {
      await press(find('button', button, { where }));
      await press(findChoice('menuitem', item));
    },
    /** Waits until a toast with the words, or any, has been shown since the page was loaded. */
    sawToast: (words = '') => sawToast(page, words),
    textOf,
  };
}
