// The suggested message of an order or a form says what an agent wants to know.
import { applyItem } from '../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../src/mapping/language/compile.ts';
import { suggestMapping } from '../suggest.ts';
import { payloadOf } from '../../test/unit/mapping/example-mapping.ts';

const suggested = (body: unknown) => suggestMapping([payloadOf(body)]).messageTemplate;

/** The message of a body, by the template that is suggested for `sample`. */
function messageOf(sample: unknown, body: unknown = sample): string | null {
  const template = suggested(sample);
  if (template === null) return null;
  const compiled = compileMapping({ message: { text: { template } } });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return applyItem(compiled.mapping, payloadOf(body), { defaultRegion: 'BR' }).message.text;
}

const shop = {
  id: 820982911,
  order_number: 1029,
  email: 'maria@example.com',
  currency: 'BRL',
  total_price: '199.90',
  total_tax: '12.00',
  note: 'Deixar na portaria',
  customer: { id: 115, first_name: 'Maria', last_name: 'Silva', email: 'maria@example.com' },
  line_items: [
    { id: 1, title: 'Camiseta', quantity: 1, price: '99.90' },
    { id: 2, title: 'Boné', quantity: 1, price: '100.00' },
  ],
};

const sale = {
  event: 'PURCHASE_APPROVED',
  data: {
    product: { id: 7, name: 'Curso de violão' },
    buyer: { name: 'Otto', email: 'otto@example.com' },
    producer: { name: 'Estúdio' },
    commissions: [{ value: 400 }],
    purchase: { transaction: 'HP0031', price: { value: 497 } },
  },
};

const form = {
  form_id: 3,
  answers: {
    'Nome completo': 'Ana Souza',
    'E-mail': 'ana@example.com',
    'Como podemos ajudar?': 'Quero uma visita.',
    'Qual o melhor horário?': 'À tarde',
    'Quantas pessoas vêm?': '4',
    'Page URL': 'https://example.com/form',
  },
};

test.each<[string, unknown, string]>([
  [
    'an order of a shop',
    shop,
    'Order number: 1029\nLine items: Camiseta, Boné\nTotal price: 199.90 BRL\nDeixar na portaria',
  ],
  ['a sale', sale, 'Transaction: HP0031\nProduct: Curso de violão\nPrice: 497'],
  ['a form', form, 'Quero uma visita.\nQual o melhor horário? À tarde\nQuantas pessoas vêm? 4'],
])('%s', (_, body, text) => {
  expect(messageOf(body)).toBe(text);
});

test('what a later payload does not have is left out', () => {
  const { order_number: _, note: _note, ...rest } = shop;
  expect(messageOf(shop, { ...rest, line_items: [] })).toBe('Total price: 199.90 BRL');
});

test.each<[string, unknown]>([
  ['a lead with a message', { name: 'Ana', phone: '+5511988771234', message: 'Quero saber mais.' }],
  ['a form with one answer', { email: 'ana@example.com', 'Como podemos ajudar?': 'Uma visita.' }],
  ['a person', { id: 1, name: 'Ana', email: 'ana@example.com', city: 'Recife' }],
  // It may be in cents.
  [
    'an order with a long integer alone',
    { order: { id: 7, total: 19_900 }, email: 'a@example.com' },
  ],
])('none for %s', (_, body) => {
  expect(suggested(body)).toBeNull();
});

test('names and paths with braces are not written into a template', () => {
  const template = suggested({
    ...shop,
    'note}}': 'x',
    answers: { 'What is {{id}}?': 'a', 'And {this} one?': 'b' },
  });
  expect(template).not.toMatch(/\{\{id\}\}/);
  expect(
    messageOf({ ...shop, answers: { 'What is {{id}}?': 'a', 'And {this} one?': 'b' } }),
  ).toContain('And this one? b');
});
