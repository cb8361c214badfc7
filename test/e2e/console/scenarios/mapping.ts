// Mapping by hand: a field is assigned by click, by drag and drop, and by keyboard. The result is shown at
// once, survives a reload, and is saved.
import { until } from '../../../support/processes/client.ts';
import { sampleOf } from '../../../support/console/seed-producers.ts';
import type { Visit } from '../../../support/console/console.ts';
import { phone } from '../../../support/console/phone.ts';
import { inlet } from './shared-console.ts';

/** Tall enough to show fields and targets together: a scrolling tree redraws its rows during a drag. */
const tall = 1600;

const payload = {
  event_id: 'm-1',
  cliente: {
    codigo: 'C-1',
    nome: 'Ana Souza',
    telefone: '(11) 90000-0001',
    recado_com: '(11) 90000-0002',
    correio: 'ana@example.com',
  },
  mensagem: 'Bom dia!',
  observacao: 'Ligar depois das 18h',
};

/** A webhook with one sample, open at its mapping. */
async function openMapping({ open, sees, say }: Visit, name: string): Promise<string> {
  const hook = await inlet.addWebhook(name);
  await inlet.deliver(hook.url, payload);
  await open(`/webhooks/${hook.id}/mapping`);
  await sees('region', say('mapping.targets'));
  return hook.id;
}

const fieldOf = ({ page }: Visit, name: string) => page.getByRole('row', { name });

function targetOf({ find, say }: Visit, group: string, target: string) {
  const where = find('region', say(`mapping.group.${group}`), {
    where: find('region', say('mapping.targets')),
  });
  return find('button', say(`mapping.target.${target}`), { where });
}

/** The announcement after the assignment. */
async function isTaken({ page, say }: Visit, target: string, field: string): Promise<void> {
  const words = say('mapping.assigned', { target: say(`mapping.target.${target}`), field });
  await page.getByRole('status').filter({ hasText: words }).waitFor({ state: 'attached' });
}

const focused =
  'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent';

const hasFocus = ({ page }: Visit, name: string) =>
  until(`“${name}” has the focus`, async () =>
    (await page.evaluate(focused)) === name ? true : undefined,
  );

async function save(visit: Visit, webhookId: string) {
  const { say, page, pressButton } = visit;
  await pressButton(say('mapping.save'));
  const saved = say('mapping.savedHint', { version: 1 });
  await page.getByRole('status').filter({ hasText: saved }).waitFor();
  return (await inlet.get(`/v1/admin/webhooks/${webhookId}/mappings/1`)).mapping;
}

test.each(['en', 'pt-BR'] as const)(
  'a field is mapped by click, and over a reload: %s',
  async (language) => {
    await inlet.visit({ language, path: '/webhooks', height: tall }, async (visit) => {
      const id = await openMapping(visit, `By click ${language}`);
      const { page, find, say, press, sees } = visit;
      const card = await sees('region', say('mapping.preview.contact'));
      await card
        .filter({ hasText: '90000-0001' })
        .or(card.filter({ hasText: '900000001' }))
        .waitFor();
      await press(targetOf(visit, 'contact', 'contact.phone'));
      const asked = say('mapping.chooseFor', { target: say('mapping.target.contact.phone') });
      await page.getByRole('status').filter({ hasText: asked }).waitFor();
      await press(fieldOf(visit, 'recado_com'));
      await isTaken(visit, 'contact.phone', 'cliente › recado_com');
      await card.filter({ hasText: /90000-?0002/ }).waitFor();

      await page.reload();
      await page
        .getByRole('status')
        .filter({ hasText: say('mapping.restored') })
        .waitFor();
      await card.filter({ hasText: /90000-?0002/ }).waitFor();
      await press(find('button', say('mapping.undo')));
      await card.filter({ hasText: /90000-?0001/ }).waitFor();
      await press(find('button', say('mapping.redo')));
      await card.filter({ hasText: /90000-?0002/ }).waitFor();

      const { contact } = await save(visit, id);
      expect(contact).toMatchObject({ phone: { path: 'cliente.recado_com' } });
    });
  },
);

test('a field is mapped by drag and drop', async () => {
  await inlet.visit({ path: '/webhooks', height: tall }, async (visit) => {
    const id = await openMapping(visit, 'By drag');
    const { say, page } = visit;
    const words = say('mapping.dropOn', { target: say('mapping.target.message.text') });
    const zone = page.getByRole('button', { name: words, disabled: false });
    await visit.drag(
      fieldOf(visit, 'observacao'),
      targetOf(visit, 'message', 'message.text'),
      zone,
    );
    await isTaken(visit, 'message.text', 'observacao');
    const chat = await visit.sees('region', visit.say('mapping.preview.chat'));
    await chat.filter({ hasText: payload.observacao }).waitFor();
    const { message } = await save(visit, id);
    expect(message).toMatchObject({ text: { path: 'observacao' } });
  });
});

test('each joined field has its own transforms, and their result is shown at once', async () => {
  await inlet.visit({ path: '/webhooks', height: tall }, async (visit) => {
    const id = await openMapping(visit, 'Joined');
    const { find, page, press, pressButton, say, sees } = visit;
    const name = say('mapping.target.contact.name');
    await press(find('button', `${say('mapping.change')}: ${name}`));
    await press(page.getByRole('menuitem', { name: say('mapping.join') }));
    await press(fieldOf(visit, 'codigo'));
    await isTaken(visit, 'contact.name', 'cliente › codigo');
    const part = await sees('group', 'cliente › codigo');
    await part.filter({ hasText: '= C-1' }).waitFor();

    await pressButton(say('mapping.options', { target: name }));
    await pressButton(`${say('mapping.addTransform')}: cliente › codigo`);
    await press(page.getByRole('menuitem', { name: say('mapping.transform.lower') }));
    await part.filter({ hasText: '= c-1' }).waitFor();
    const card = await sees('region', say('mapping.preview.contact'));
    await card.filter({ hasText: 'Ana Souza c-1' }).waitFor();

    const { contact } = await save(visit, id);
    expect(contact.name).toEqual({
      join: [{ path: 'cliente.nome' }, { path: 'cliente.codigo', transforms: ['lower'] }],
    });
  });
});

test('validation errors are shown at their targets, in the page language', async () => {
  const refusals = [/^POST .*\/mappings\/preview$/];
  const opening = { language: 'pt-BR', path: '/webhooks', height: tall, refusals } as const;
  await inlet.visit(opening, async (visit) => {
    await openMapping(visit, 'Refused');
    const { find, page, press, pressButton, say, sees, type } = visit;
    const phone = say('mapping.target.contact.phone');
    await pressButton(say('mapping.options', { target: phone }));
    await pressButton(say('mapping.addTransform'));
    await press(page.getByRole('menuitem', { name: say('mapping.transform.phone') }));
    await pressButton(say('mapping.transform.phone'), find('group', say('mapping.transforms')));
    await type(say('mapping.option.region'), 'XX');
    await pressButton(say('mapping.apply'));
    const words = say('mapping.saveError.phone_region', { about: 'XX' });
    const contact = await sees('region', say('mapping.group.contact'));
    await contact.filter({ hasText: words }).waitFor();
    // Display names of types.
    await pressButton(say('mapping.addTransform'));
    await press(page.getByRole('menuitem', { name: say('mapping.transform.truncate') }));
    await type(say('mapping.option.length'), 'doze');
    await pressButton(say('mapping.apply'));
    const about = say('mapping.type.integer');
    await contact.filter({ hasText: say('mapping.saveError.wrong_type', { about }) }).waitFor();
    // The results of the other parts stay.
    await contact.filter({ hasText: payload.cliente.nome }).waitFor();
    await find('button', say('mapping.save'), { disabled: true }).waitFor();
  });
});

test('an entry of a list reads as the tree shows it, and its expression is its description', async () => {
  await inlet.visit({ path: '/webhooks', height: tall }, async (visit) => {
    const hook = await inlet.addWebhook('Keyed');
    await inlet.deliver(hook.url, sampleOf('typeform.form_response').body);
    await visit.open(`/webhooks/${hook.id}/mapping`);
    const field = 'form_response › answers › telefone › phone_number';
    const name = visit.say('mapping.replacePart', { field });
    const description = "form_response.answers[?field.ref=='telefone'].phone_number | [0]";
    await visit.page.getByRole('button', { name, exact: true, description }).waitFor();
  });
});

test('a field is mapped by keyboard alone', async () => {
  await inlet.visit({ language: 'pt-BR', path: '/webhooks' }, async (visit) => {
    const id = await openMapping(visit, 'By keyboard');
    const { page, key, say } = visit;
    await targetOf(visit, 'message', 'message.text').focus();
    await key('Enter');
    await hasFocus(visit, say('mapping.search'));
    await page.keyboard.type('observ');
    await fieldOf(visit, 'mensagem').waitFor({ state: 'detached' });
    await key('ArrowDown');
    await hasFocus(visit, 'observacao');
    await key('Enter');
    await isTaken(visit, 'message.text', 'observacao');
    await hasFocus(visit, say('mapping.target.message.text'));
    expect((await save(visit, id)).message).toMatchObject({ text: { path: 'observacao' } });
  });
});

test('a focus inside the fields pane is kept', async () => {
  await inlet.visit({ path: '/webhooks', height: tall }, async (visit) => {
    await openMapping(visit, 'By keyboard, at once');
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

test.each([1280, 390])('no layout shift while a target is pending: %d px wide', async (width) => {
  await inlet.visit({ path: '/webhooks', width }, async (visit) => {
    await openMapping(visit, `Calm at ${width}`);
    const { find, press, say, page, sees } = visit;
    const isOneSided = width < 720;
    const toSide = (side: string) => find('radio', say(`mapping.${side}`)).press('Space');
    const topOfTree = async (): Promise<number> => {
      const pane = await (await sees('region', say('mapping.fields'))).boundingBox();
      const tree = await (await sees('treegrid', say('mapping.fields'))).boundingBox();
      if (!pane || !tree) throw new Error('The fields are not to be seen.');
      return tree.y - pane.y;
    };
    if (isOneSided) await toSide('fields');
    const before = await topOfTree();
    if (isOneSided) await toSide('targets');
    await press(targetOf(visit, 'contact', 'contact.document'));
    const target = say('mapping.target.contact.document');
    const asked = page
      .getByRole('status')
      .filter({ hasText: say('mapping.chooseFor', { target }) });
    await asked.waitFor();
    expect(await topOfTree()).toBe(before);
    await press(find('button', say('ui.cancel')));
    await asked.waitFor({ state: 'hidden' });
    if (isOneSided) await toSide('fields');
    expect(await topOfTree()).toBe(before);
  });
});

test.each([
  ['on a desk', { width: 1280, height: 800 }],
  ['on a phone', phone],
])('saving stays at hand however far down the work is: %s', async (_where, size) => {
  await inlet.visit({ path: '/webhooks', ...size }, async (visit) => {
    const { find, page, press, say } = visit;
    await openMapping(visit, 'Far down');
    const far = targetOf(visit, 'context', 'context.sector');
    await far.scrollIntoViewIfNeeded();
    await page.mouse.move(size.width / 2, size.height / 2);
    await page.mouse.wheel(0, 2_000);
    const save = find('button', say('mapping.save'));
    const isSeen = () =>
      until('it is in view', async () => {
        const box = await save.boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height < size.height / 4
          ? true
          : undefined;
      });
    await isSeen();
    await press(save);
    // And the result is shown.
    const saved = page
      .getByRole('status')
      .filter({ hasText: say('mapping.savedHint', { version: 1 }) });
    await saved.waitFor();
    await until('what was saved is in view', async () => {
      const box = await saved.boundingBox();
      return box !== null && box.y >= 0 ? true : undefined;
    });
  });
});

test('the tree keeps its size when a field is selected, and the field stays visible', async () => {
  await inlet.visit({ path: '/webhooks', width: 1280, height: 900 }, async (visit) => {
    const { find, say, press, sees } = visit;
    await openMapping(visit, 'Picked');
    // The preview has room to grow.
    const contact = await sees('region', say('mapping.preview.contact'));
    await contact.filter({ hasText: payload.cliente.nome }).waitFor();
    const chat = await sees('region', say('mapping.preview.chat'));
    await chat.filter({ hasText: payload.mensagem }).waitFor();
    const tree = find('treegrid', say('mapping.fields'));
    const before = await tree.boundingBox();
    await press(fieldOf(visit, 'observacao'));
    const details = await sees('region', say('mapping.picked'));
    const after = await tree.boundingBox();
    expect(after?.height).toBe(before?.height);
    const [row, over] = [
      await fieldOf(visit, 'observacao').boundingBox(),
      await details.boundingBox(),
    ];
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual((over?.y ?? 0) + 1);
  });
});
