// The inbox, as an agent uses it.
import type { Locator } from 'playwright-core';
import type { Visit } from './console.ts';
import { inlet } from './shared-console.ts';

let number = 0;

/** An event of a person with this name, for a webhook with the mapping of leads. Resolves once it is processed. */
export const postLead = (url: string, name: string, text: string) => {
  number += 1;
  return inlet.lead(url, { id: `inbox-${number}`, type: 'lead', text, lead: { id: name, name } });
};

/** An element with these texts, in any order. */
const having = (element: Locator, texts: readonly string[]): Locator =>
  texts.reduce((found, hasText) => found.filter({ hasText }), element);
export const rowOf = ({ page }: Visit, name: string, ...texts: string[]) =>
  having(page.getByRole('row', { name }), texts);
export const bubbleOf = ({ page }: Visit, ...texts: string[]) =>
  having(page.getByRole('listitem'), texts);
export const paneOf = ({ find, textOf }: Visit, name: string, ...texts: string[]) =>
  having(find('region', textOf('inbox.chatWith', { name })), texts);

export const actAs = (visit: Visit, name: string) =>
  visit.choose(visit.textOf('inbox.agent'), name);

export async function showView({ page, textOf, key }: Visit, view: string): Promise<void> {
  const start = textOf(`inbox.view.${view}`, { unread: 0 });
  await page.getByRole('radio', { name: new RegExp(`^${start}`) }).focus();
  await key('Space');
}

export async function write({ textOf, type, key }: Visit, text: string): Promise<void> {
  await type(textOf('inbox.write'), text);
  await key('Enter');
}
