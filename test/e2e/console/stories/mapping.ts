// A field is mapped by hand. The deep tier has drag and drop, the keyboard, and the layout of the page.
import {
  fieldOf,
  isTaken,
  save,
  tall,
  targetOf,
  visitMapping,
} from '../../../support/console/mapping-page.ts';

test('a field is mapped by click, and over a reload', async () => {
  await visitMapping('By click', { language: 'pt-BR', height: tall }, async (visit, id) => {
    const { page, find, textOf, press, waitFor } = visit;
    const card = await waitFor('region', textOf('mapping.preview.contact'));
    await card
      .filter({ hasText: '90000-0001' })
      .or(card.filter({ hasText: '900000001' }))
      .waitFor();
    await press(targetOf(visit, 'contact', 'contact.phone'));
    const asked = textOf('mapping.chooseFor', { target: textOf('mapping.target.contact.phone') });
    await page.getByRole('status').filter({ hasText: asked }).waitFor();
    await press(fieldOf(visit, 'recado_com'));
    await isTaken(visit, 'contact.phone', 'cliente › recado_com');
    await card.filter({ hasText: /90000-?0002/ }).waitFor();

    await page.reload();
    await page
      .getByRole('status')
      .filter({ hasText: textOf('mapping.restored') })
      .waitFor();
    await card.filter({ hasText: /90000-?0002/ }).waitFor();
    await press(find('button', textOf('mapping.undo')));
    await card.filter({ hasText: /90000-?0001/ }).waitFor();
    await press(find('button', textOf('mapping.redo')));
    await card.filter({ hasText: /90000-?0002/ }).waitFor();

    const { contact } = await save(visit, id);
    expect(contact).toMatchObject({ phone: { path: 'cliente.recado_com' } });
  });
});
