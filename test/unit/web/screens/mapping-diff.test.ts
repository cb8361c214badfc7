import {
  differencesOf,
  isSame,
} from '../../../../web/src/screens/version-comparison/mapping-diff.ts';

const before = {
  eventId: { path: 'lead.id' },
  contact: {
    phone: { path: 'lead.mobile', transforms: [{ phone: { region: 'BR', lenient: true } }] },
    email: { path: 'lead.email' },
    fields: { 'a.b': { path: 'x' }, City: { path: 'city' } },
  },
  context: { labels: [{ const: 'one' }] },
};

test('a document equals itself in any key order', () => {
  const { contact, ...rest } = before;
  const phone = { transforms: [{ phone: { lenient: true, region: 'BR' } }], path: 'lead.mobile' };
  const turned = { contact: { ...contact, phone }, ...rest };
  expect(differencesOf(before, turned)).toEqual([]);
  expect(isSame(before, turned)).toBe(true);
  expect(isSame([1, 2], [2, 1])).toBe(false);
});

test('changed, new and removed targets are listed with both sources', () => {
  const after = {
    eventId: before.eventId,
    filter: 'lead',
    contact: { phone: { path: 'lead.phone' }, fields: { City: { path: 'town' } } },
    context: { labels: [{ const: 'one' }, { const: 'two' }] },
  };
  const found = differencesOf(before, after);
  expect(new Map(found.map((each) => [each.target, [each.before, each.after]]))).toEqual(
    new Map<string, unknown>([
      ['contact.phone', [before.contact.phone, { path: 'lead.phone' }]],
      ['contact.fields.City', [{ path: 'city' }, { path: 'town' }]],
      ['context.labels.1', [undefined, { const: 'two' }]],
      ['filter', [undefined, 'lead']],
      ['contact.email', [{ path: 'lead.email' }, undefined]],
      ['contact.fields.a.b', [{ path: 'x' }, undefined]],
    ]),
  );
});
