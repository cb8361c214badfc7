// Mapping by hand: a field is assigned by click, by drag and drop, and by keyboard. The result is shown at
// once, survives a reload, and is saved.
import { waitForValue } from '../../../../support/processes/client.ts';
import { sampleOf } from '../../../../support/console/seed-producers.ts';
import type { Visit } from '../../../../support/console/console.ts';
import {
  fieldOf,
  isTaken,
  payload,
  save,
  tall,
  targetOf,
  visitMapping,
} from '../../../../support/console/mapping-page.ts';
import { phone } from '../../../../support/console/phone.ts';
import { countryName } from '../../../../support/console/setup-steps.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

const focused =
  'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent';

const hasFocus = ({ page }: Visit, name: string) =>
  waitForValue(`“${name}” has the focus`, async () =>
    (await page.evaluate(focused)) === name ? true : undefined,
  );

test('a field is mapped by drag and drop', async () => {
  await visitMapping('By drag', { height: tall }, async (visit, id) => {
    const { textOf, page } = visit;
    const words = textOf('mapping.dropOn', { target: textOf('mapping.target.message.text') });
    const zone = page.getByRole('button', { name: words, disabled: false });
    await visit.drag(
      fieldOf(visit, 'observacao'),
      targetOf(visit, 'message', 'message.text'),
      zone,
    );
    await isTaken(visit, 'message.text', 'observacao');
    const chat = await visit.waitFor('region', visit.textOf('mapping.preview.chat'));
    await chat.filter({ hasText: payload.observacao }).waitFor();
    const { message } = await save(visit, id);
    expect(message).toMatchObject({ text: { path: 'observacao' } });
  });
});

test('each joined field has its own transforms, and their result is shown at once', async () => {
  await visitMapping('Joined', { height: tall }, async (visit, id) => {
    const { find, page, press, pressButton, textOf, waitFor } = visit;
    const name = textOf('mapping.target.contact.name');
    await press(find('button', `${textOf('mapping.change')}: ${name}`));
    await press(page.getByRole('menuitem', { name: textOf('mapping.join') }));
    await press(fieldOf(visit, 'codigo'));
    await isTaken(visit, 'contact.name', 'cliente › codigo');
    const part = await waitFor('group', 'cliente › codigo');
    await part.filter({ hasText: '= C-1' }).waitFor();

    await pressButton(textOf('mapping.options', { target: name }));
    await pressButton(`${textOf('mapping.addTransform')}: cliente › codigo`);
    await press(page.getByRole('menuitem', { name: textOf('mapping.transform.lower') }));
    await part.filter({ hasText: '= c-1' }).waitFor();
    const card = await waitFor('region', textOf('mapping.preview.contact'));
    await card.filter({ hasText: 'Ana Souza c-1' }).waitFor();

    const { contact } = await save(visit, id);
    expect(contact.name).toEqual({
      join: [{ path: 'cliente.nome' }, { path: 'cliente.codigo', transforms: ['lower'] }],
    });
  });
});

test('validation errors are shown at their targets, in the page language', async () => {
  const refusals = [/^POST .*\/mappings\/preview$/];
  const opening = { language: 'pt-BR', height: tall, refusals } as const;
  await visitMapping('Refused', opening, async (visit) => {
    const { find, page, press, pressButton, textOf, waitFor, type } = visit;
    const phone = textOf('mapping.target.contact.phone');
    await pressButton(textOf('mapping.options', { target: phone }));
    await pressButton(textOf('mapping.addTransform'));
    await press(page.getByRole('menuitem', { name: textOf('mapping.transform.date') }));
    await pressButton(
      textOf('mapping.transform.date'),
      find('group', textOf('mapping.transforms')),
    );
    await type(textOf('mapping.option.format'), 'dd.MM');
    await pressButton(textOf('mapping.apply'));
    const words = textOf('mapping.saveError.date_format');
    const contact = await waitFor('region', textOf('mapping.group.contact'));
    await contact.filter({ hasText: words }).waitFor();
    // Display names of types.
    await pressButton(textOf('mapping.addTransform'));
    await press(page.getByRole('menuitem', { name: textOf('mapping.transform.truncate') }));
    await type(textOf('mapping.option.length'), 'doze');
    await pressButton(textOf('mapping.apply'));
    const about = textOf('mapping.type.integer');
    await contact.filter({ hasText: textOf('mapping.saveError.wrong_type', { about }) }).waitFor();
    // The results of the other parts stay.
    await contact.filter({ hasText: payload.cliente.nome }).waitFor();
    await find('button', textOf('mapping.save'), { disabled: true }).waitFor();
  });
});

test('a number of another country and a date without a zone are read with one click', async () => {
  const hook = await inlet.addWebhook('From Spain');
  await inlet.deliver(hook.url, {
    nombre: 'Marta',
    movil: '612 34 56 78',
    cuando: '2026-03-01 10:00',
  });
  const path = `/webhooks/${hook.id}/mapping`;
  await inlet.visit({ path, language: 'es', height: tall }, async (visit) => {
    const { find, press, pressButton, textOf, waitFor } = visit;
    await waitFor('region', textOf('mapping.targets'));
    for (const [group, target, field] of [
      ['contact', 'contact.phone', 'movil'],
      ['event', 'eventDate', 'cuando'],
    ] as const) {
      await press(targetOf(visit, group, target));
      await press(fieldOf(visit, field));
      await isTaken(visit, target, field);
    }
    const country = await countryName(visit, 'ES');
    const number = '+34 612 34 56 78';
    await pressButton(textOf('mapping.offer.region', { number, country }));
    await pressButton(textOf('mapping.offer.zone', { zone: 'America/Sao Paulo' }));
    const targets = await waitFor('region', textOf('mapping.targets'));
    await targets.filter({ hasText: '+34612345678' }).waitFor();
    expect(await find('button', textOf('mapping.offer.region', { number, country })).count()).toBe(
      0,
    );
    const saved = await save(visit, hook.id);
    expect(saved.contact.phone).toEqual({
      path: 'movil',
      transforms: [{ phone: { region: 'ES' } }],
    });
    expect(saved.eventDate).toEqual({
      path: 'cuando',
      transforms: [{ date: { zone: 'America/Sao_Paulo' } }],
    });
  });
});

test('an entry of a list reads as the tree shows it, and its expression is its description', async () => {
  const hook = await inlet.addWebhook('Keyed');
  await inlet.deliver(hook.url, sampleOf('typeform.form_response').body);
  const path = `/webhooks/${hook.id}/mapping`;
  await inlet.visit({ path, height: tall }, async (visit) => {
    const field = 'form_response › answers › telefone › phone_number';
    const name = visit.textOf('mapping.replacePart', { field });
    const description = "form_response.answers[?field.ref=='telefone'].phone_number | [0]";
    await visit.page.getByRole('button', { name, exact: true, description }).waitFor();
  });
});

test('a field is mapped by keyboard alone', async () => {
  await visitMapping('By keyboard', { language: 'pt-BR' }, async (visit, id) => {
    const { page, key, textOf } = visit;
    await targetOf(visit, 'message', 'message.text').focus();
    await key('Enter');
    await hasFocus(visit, textOf('mapping.search'));
    await page.keyboard.type('observ');
    await fieldOf(visit, 'mensagem').waitFor({ state: 'detached' });
    await key('ArrowDown');
    await hasFocus(visit, 'observacao');
    await key('Enter');
    await isTaken(visit, 'message.text', 'observacao');
    await hasFocus(visit, textOf('mapping.target.message.text'));
    expect((await save(visit, id)).message).toMatchObject({ text: { path: 'observacao' } });
  });
});

test('a focus inside the fields pane is kept', async () => {
  await visitMapping('By keyboard, at once', { height: tall }, async (visit) => {
    const { page, key } = visit;
    await targetOf(visit, 'message', 'message.text').focus();
    await key('Enter');
    await fieldOf(visit, 'event_id').focus();
    for (let lines = 0; lines < 12; lines += 1) {
      if ((await page.evaluate(focused)) === 'observacao') break;
      await key('ArrowDown');
    }
    await key('Enter');
    await isTaken(visit, 'message.text', 'observacao');
  });
});

describe.each([
  ['on a desk', { width: 1280, height: 800 }],
  ['on a phone', phone],
])('%s', (where, size) => {
  test('nothing moves while a target is pending, and saving stays at hand however far down the work is', () =>
    visitMapping(`Far down ${where}`, size, async (visit) => {
      await staysCalm(visit, size.width < 720);
      await savesFromFarDown(visit, size);
    }));
});

async function staysCalm(visit: Visit, isOneSided: boolean): Promise<void> {
  const { find, press, textOf, page, waitFor } = visit;
  const toSide = (side: string) => find('radio', textOf(`mapping.${side}`)).press('Space');
  const topOfTree = async (): Promise<number> => {
    const pane = await waitFor('region', textOf('mapping.fields'));
    const tree = await waitFor('treegrid', textOf('mapping.fields'));
    return waitForValue('the page does not scroll between the measurements', async () => {
      const first = await pane.boundingBox();
      const inner = await tree.boundingBox();
      const again = await pane.boundingBox();
      return first && inner && first.y === again?.y ? inner.y - first.y : undefined;
    });
  };
  if (isOneSided) await toSide('fields');
  const before = await topOfTree();
  if (isOneSided) await toSide('targets');
  await press(targetOf(visit, 'contact', 'contact.document'));
  const target = textOf('mapping.target.contact.document');
  const asked = page
    .getByRole('status')
    .filter({ hasText: textOf('mapping.chooseFor', { target }) });
  await asked.waitFor();
  expect(await topOfTree()).toBe(before);
  await press(find('button', textOf('ui.cancel')));
  await asked.waitFor({ state: 'hidden' });
  if (isOneSided) await toSide('fields');
  expect(await topOfTree()).toBe(before);
  if (isOneSided) await toSide('targets');
}

async function savesFromFarDown(visit: Visit, size: typeof phone): Promise<void> {
  const { find, page, press, textOf } = visit;
  const far = targetOf(visit, 'context', 'context.sector');
  await far.scrollIntoViewIfNeeded();
  await page.mouse.move(size.width / 2, size.height / 2);
  await page.mouse.wheel(0, 2_000);
  const save = find('button', textOf('mapping.save'));
  const isSeen = () =>
    waitForValue('it is in view', async () => {
      const box = await save.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height < size.height / 4 ? true : undefined;
    });
  await isSeen();
  await press(save);
  // And the result is shown.
  const saved = page
    .getByRole('status')
    .filter({ hasText: textOf('mapping.savedHint', { version: 1 }) });
  await saved.waitFor();
  await waitForValue('what was saved is in view', async () => {
    const box = await saved.boundingBox();
    return box !== null && box.y >= 0 ? true : undefined;
  });
}

test('at 1280 by 800 pixels 14 fields of the newest payload are in view, and the preview opens below', async () => {
  const hook = await inlet.addWebhook('Many fields');
  await inlet.deliver(hook.url, { ...payload, event_id: 'm-0' });
  const fields = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`campo_${at}`, `v${at}`]),
  );
  const newest = { ...payload, cliente: { ...payload.cliente, nome: 'Bia Lima' }, ...fields };
  await inlet.deliver(hook.url, newest);
  const options = { width: 1280, height: 800, path: `/webhooks/${hook.id}/mapping` };
  await inlet.visit(options, async ({ find, page, pressButton, textOf, waitFor }) => {
    const preview = await waitFor('region', textOf('mapping.preview'));
    await preview.filter({ hasText: 'Bia Lima' }).waitFor();
    const bottom = (await preview.boundingBox())?.y ?? 0;
    const rows = await find('treegrid', textOf('mapping.fields')).getByRole('row').all();
    const boxes = await Promise.all(rows.map((row) => row.boundingBox()));
    const seen = boxes.filter((box) => box && box.y >= 0 && box.y + box.height <= bottom);
    expect(seen.length).toBeGreaterThanOrEqual(14);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);

    const contact = find('region', textOf('mapping.preview.contact'));
    expect(await contact.isVisible()).toBe(false);
    await pressButton(textOf('mapping.preview.show'));
    await contact.waitFor();
    await pressButton(textOf('mapping.preview.hide'));
    await contact.waitFor({ state: 'hidden' });
  });
});

test('the first view of a mapping takes at most 20 requests', async () => {
  const mapping = {
    eventId: { path: 'event_id' },
    contact: { externalId: { path: 'cliente.codigo' }, name: { path: 'cliente.nome' } },
  };
  const hook = await inlet.addWebhook('First view', mapping);
  await inlet.lead(hook.url, payload);
  const path = `/webhooks/${hook.id}/mapping`;
  await inlet.visit({ path }, async ({ page, textOf, waitFor }) => {
    // A preloaded file and its import are one request.
    const requests = new Set<string>();
    page.on('request', (request) => requests.add(`${request.method()} ${request.url()}`));
    await page.reload();
    const preview = await waitFor('region', textOf('mapping.preview'));
    await preview.filter({ hasText: payload.cliente.nome }).waitFor();
    await page.waitForLoadState('load');
    expect(requests.size).toBeGreaterThan(5); // or nothing was counted
    expect([...requests].slice(20)).toEqual([]);
  });
});

test('the tree keeps its size when a field is selected, and the field stays visible', async () => {
  await visitMapping('Picked', { width: 1280, height: 900 }, async (visit) => {
    const { find, textOf, press, pressButton, waitFor } = visit;
    await pressButton(textOf('mapping.preview.show'));
    const contact = await waitFor('region', textOf('mapping.preview.contact'));
    await contact.filter({ hasText: payload.cliente.nome }).waitFor();
    await waitFor('region', textOf('mapping.preview.chat'));
    const tree = find('treegrid', textOf('mapping.fields'));
    const before = await tree.boundingBox();
    await press(fieldOf(visit, 'observacao'));
    const details = await waitFor('region', textOf('mapping.picked'));
    const after = await tree.boundingBox();
    expect(after?.height).toBe(before?.height);
    const [row, over] = [
      await fieldOf(visit, 'observacao').boundingBox(),
      await details.boundingBox(),
    ];
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual((over?.y ?? 0) + 1);
  });
});
