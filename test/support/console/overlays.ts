// The overlays of each screen: dialogs, menus, option lists and expandable parts, with the buttons that open them.
import type { Locator } from 'playwright-core';
import type { Visit } from './console.ts';

type Press = (visit: Visit) => Locator;
/** The part to check; `main` for parts that expand in the page and stay open. */
type Part = 'dialog' | 'menu' | 'listbox' | 'alertdialog' | 'main';
type Overlay = { readonly part: Part; readonly presses: readonly Press[] };

const hole = 'HOLE';

/** Matches a message with any values. A message without placeholders matches exactly. */
function nameOf({ textOf }: Visit, id: string, holes: readonly string[]): string | RegExp {
  if (holes.length === 0) return textOf(id);
  const words = textOf(id, Object.fromEntries(holes.map((name) => [name, hole])));
  const parts = words.split(hole).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`);
}

const named =
  (role: Parameters<Visit['find']>[0]) =>
  (id: string, ...holes: string[]): Press =>
  (visit) =>
    visit.find(role, nameOf(visit, id, holes)).first();

const button = named('button');
const item = named('menuitem');
const link = named('link');
const combo = named('combobox');
/** Its hint is part of the accessible name. */
const hinted =
  (id: string): Press =>
  ({ page, textOf }) =>
    page.getByRole('menuitem', { name: textOf(id) });
/** The accessible name starts with this text. */
const chip =
  (id: string): Press =>
  ({ page, textOf }) =>
    page.getByRole('button', { name: new RegExp(`^${textOf(id)}`) });
/** A select: its button is named by the selected option and the label. */
const choice =
  (id: string): Press =>
  ({ page, textOf }) =>
    page.getByRole('button', { name: textOf(id) }).first();
/** The label contains counts. */
const counted =
  (id: string): Press =>
  ({ page, textOf }) =>
    page.getByRole('button', { name: textOf(id, { count: 2 }).replace(/\s*2.*$/, '') }).first();

const opens =
  (part: Part) =>
  (...presses: Press[]): Overlay => ({ part, presses });
const dialog = opens('dialog');
const menu = opens('menu');
const list = opens('listbox');
const notice = opens('alertdialog');
const unfolds = opens('main');

/** Its visible text is a time. */
const certificate: Press = ({ page, textOf }) =>
  page
    .getByRole('link', { name: textOf('contacts.certificate') })
    .first()
    .getByRole('time');

const phone: Press = ({ page, textOf }) =>
  page.getByRole('button', {
    name: textOf('mapping.options', { target: textOf('mapping.target.contact.phone') }),
  });

/** By screen name. Expandable parts come last, because they stay open. */
export const overlays: Readonly<Record<string, readonly Overlay[]>> = {
  overview: [menu(button('shell.more'))],
  webhooks: [menu(button('webhooks.actions', 'name')), list(choice('webhooks.order'))],
  'new-webhook': [
    list(choice('setup.channel')),
    list(combo('setup.producer')),
    unfolds(button('setup.create')),
  ],
  'setup-waiting': [unfolds(button('setup.paste'))],
  webhook: [
    menu(button('webhook.do.more')),
    dialog(button('webhook.do.more'), item('webhook.do.edit')),
    dialog(button('webhook.do.more'), item('webhook.do.archive')),
  ],
  mapping: [
    menu(({ page, textOf }) =>
      page.getByRole('button', { name: `${textOf('mapping.change')}: ` }).first(),
    ),
    notice(button('mapping.clear', 'target')),
    list(choice('mapping.payload')),
    menu(phone, button('mapping.addTransform')),
    dialog(
      button('mapping.addTransform'),
      hinted('mapping.transform.trim'),
      chip('mapping.transform.trim'),
    ),
    unfolds(button('mapping.addTransform'), hinted('mapping.transform.replace')),
    unfolds(button('mapping.more.title'), button('mapping.addField.contact')),
    unfolds(({ page }) => page.getByRole('row', { name: 'title' }).first()),
    menu(button('mapping.useFor')),
    unfolds(link('mapping.toExpert')),
  ],
  versions: [
    menu(button('versions.more', 'version')),
    dialog(button('versions.more', 'version'), item('versions.view')),
    dialog(button('versions.more', 'version'), item('versions.test')),
    dialog(button('versions.activate')),
    unfolds(button('versions.guide')),
    unfolds(link('versions.compare')),
  ],
  samples: [
    dialog(button('samples.add')),
    list(choice('samples.show')),
    unfolds(({ page, find, textOf }) =>
      find('list', textOf('samples.list')).getByRole('button').or(page.getByRole('alert')).first(),
    ),
    dialog(button('samples.rename')),
  ],
  drift: [list(choice('drift.show'))],
  keys: [dialog(button('keys.rotate')), dialog(button('keys.revokeOne', 'lastFour'))],
  settings: [list(choice('settings.profile.label')), list(choice('settings.rate'))],
  events: [
    menu(button('events.export.label')),
    unfolds(button('events.filter.more')),
    list(choice('events.filter.reason')),
    list(combo('events.filter.webhook')),
  ],
  event: [menu(button('event.more')), dialog(button('event.more'), hinted('event.remap'))],
  'dead-event': [
    dialog(button('event.replay')),
    dialog(button('event.more'), item('event.discard')),
  ],
  'dead-letters': [dialog(counted('dead.replay')), dialog(counted('dead.discard'))],
  inbox: [
    dialog(button('ui.shortcuts')),
    list(choice('inbox.agent')),
    unfolds(button('inbox.filter')),
    list(choice('inbox.filter.sector')),
  ],
  chat: [
    dialog(button('inbox.transfer')),
    dialog(button('inbox.close')),
    menu(button('inbox.moreActions')),
    dialog(button('inbox.moreActions'), item('inbox.labels')),
  ],
  contacts: [list(choice('contacts.searchIn')), list(choice('contacts.channel'))],
  contact: [
    menu(button('contacts.more')),
    dialog(button('contacts.edit')),
    dialog(button('contacts.more'), hinted('contacts.merge')),
    dialog(button('contacts.more'), hinted('contacts.erase')),
  ],
  conflicts: [
    dialog(button('contacts.mergeTwo', 'stays', 'joins')),
    dialog(button('contacts.areTwo')),
    list(choice('contacts.show')),
  ],
  erasures: [
    dialog(button('contacts.erasePersonButton')),
    dialog(certificate),
    dialog(button('contacts.letBack', 'kind')),
  ],
  channels: [dialog(button('channels.new'))],
  channel: [dialog(button('channels.turnOff')), dialog(button('channels.delete'))],
  agents: [
    dialog(button('team.agents.new')),
    dialog(button('team.editOne', 'name')),
    dialog(button('team.deleteOne', 'name')),
  ],
  sectors: [dialog(button('team.sectors.new')), dialog(button('team.editOne', 'name'))],
  labels: [dialog(button('team.labels.new')), dialog(button('team.deleteOne', 'name'))],
  tokens: [dialog(button('tokens.new')), dialog(button('tokens.revokeOne', 'name'))],
  audit: [list(choice('audit.action')), unfolds(({ page }) => page.getByRole('group').first())],
};

/** Opens the part and returns it. */
export async function openOverlay(visit: Visit, { part, presses }: Overlay): Promise<Locator> {
  for (const press of presses) await press(visit).click();
  const opened = visit.page.getByRole(part).first();
  await opened.waitFor();
  // The time of a toast stops while the pointer is over it.
  if (part === 'alertdialog') await opened.hover();
  return opened;
}

/** Closes the overlay; expanded parts stay. */
export async function closeOverlay({ page, key }: Visit, { part }: Overlay): Promise<void> {
  if (part === 'main') return;
  const opened = page.getByRole(part).first();
  if (part === 'alertdialog') await opened.getByRole('button').last().click();
  else await key('Escape');
  await opened.waitFor({ state: 'detached' });
}
