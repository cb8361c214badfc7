// A mapping whose sender changed its payloads is repaired from one that failed and one that worked.
import type { MappingDocument, Payload } from '../../src/domain/mappings/mapping.ts';
import { applyItem } from '../../src/mapping/evaluation/apply.ts';
import { mapItems } from '../../src/mapping/evaluation/map-items.ts';
import { createWorkBudget } from '../../src/mapping/expressions/work-budget.ts';
import { compileMapping } from '../../src/mapping/language/compile.ts';
import { repairMapping, type Repair } from '../repair/repair.ts';
import { suggestMapping } from '../suggest.ts';

const payload = (body: unknown): Payload => ({ body, headers: {}, query: {} });

const lead = {
  id: 'd-1001',
  event: 'lead.created',
  created_at: '2026-03-02T10:00:00Z',
  lead: {
    id: 'p-77',
    name: 'Ana Silva',
    phone: '+55 11 98877-1234',
    email: 'ana@example.com',
    city: 'Campinas',
  },
  text: 'I would like a visit on Saturday.',
};

const document: MappingDocument = {
  eventId: { path: 'id' },
  eventType: { path: 'event' },
  eventDate: { path: 'created_at' },
  contact: {
    externalId: { path: 'lead.id' },
    name: { path: 'lead.name', transforms: ['trim'] },
    phone: { path: 'lead.phone', transforms: [{ phone: { region: 'BR' } }] },
    email: { path: 'lead.email', required: true },
    fields: { city: { path: 'lead.city', default: 'unknown' } },
  },
  message: { text: { path: 'text' } },
};

function repair(failed: unknown, { from = document, worked = lead as unknown } = {}): Repair {
  return repairMapping({
    document: from,
    worked: worked === null ? null : payload(worked),
    failed: payload(failed),
    suggestion: suggestMapping([payload(failed)]),
    region: 'BR',
  });
}

function compiled(mapping: MappingDocument) {
  const result = compileMapping(mapping);
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.mapping;
}

const read = (mapping: MappingDocument, body: unknown) =>
  applyItem(compiled(mapping), payload(body), { defaultRegion: 'BR' });

const next = {
  ...lead,
  id: 'd-2002',
  created_at: '2026-03-05T09:30:00Z',
  lead: {
    id: 'p-91',
    name: 'Bruno Costa',
    phone: '+55 21 97766-5544',
    email: 'bruno@example.com',
    city: 'Niteroi',
  },
  text: 'Please call me back.',
};
const { lead: person } = next;

const changes: readonly (readonly [string, unknown])[] = [
  [
    'renamed fields',
    {
      deal_id: next.id,
      event_type: next.event,
      createdAt: next.created_at,
      lead: {
        lead_id: person.id,
        full_name: person.name,
        telefone: person.phone,
        e_mail: person.email,
        cidade: person.city,
      },
      message: next.text,
    },
  ],
  ['a moved object', { ...next, lead: undefined, data: { customer: person } }],
  ['a new wrapper', { payload: next, version: 2 }],
  [
    'a wrapper that is gone',
    { ...next, ...person, id: next.id, lead: undefined, lead_id: person.id },
  ],
  [
    'changed types',
    {
      ...next,
      lead: { ...person, phone: { number: person.phone, type: 'mobile' }, email: [person.email] },
    },
  ],
];

test.each(changes)('after %s the repaired mapping reads both forms', (_, failed) => {
  const { mapping, unresolved } = repair(failed);
  expect(unresolved).toEqual([]);
  expect(read(mapping, failed)).toEqual(read(document, next));
  expect(read(mapping, lead)).toEqual(read(document, lead));
});

test('each replacement names the targets, both paths, an example and its evidence', () => {
  const { phone, ...rest } = person;
  const { replacements } = repair({ ...next, lead: { ...rest, mobile: phone } });
  expect(replacements).toEqual([
    {
      targets: ['contact.phone'],
      from: 'lead.phone',
      path: 'lead.mobile',
      example: phone,
      similarity: expect.any(Number),
      because: expect.arrayContaining(['value', 'place']),
    },
  ]);
});

test('fields with foreign names are found by their values when there is only one of a kind', () => {
  const { mapping } = repair({
    ...next,
    lead: {
      id: person.id,
      name: person.name,
      city: person.city,
      k7: person.phone,
      k9: person.email,
    },
  });
  expect(
    read(mapping, { ...next, lead: { k7: person.phone, k9: person.email } }).contact,
  ).toMatchObject({
    phone: '+5521977665544',
    email: 'bruno@example.com',
  });
});

test('a name in two fields is joined', () => {
  const { name: _, ...rest } = person;
  const failed = { ...next, lead: { ...rest, first_name: 'Bruno', last_name: 'Costa' } };
  expect(read(repair(failed).mapping, failed).contact.name).toBe('Bruno Costa');
});

test('items that moved to another list are found again', () => {
  const from: MappingDocument = { ...document, split: 'data.leads' };
  const worked = { data: { leads: [lead] } };
  const failed = { result: { leads: [next, lead] }, tags: [{ id: 1 }] };
  const { mapping } = repair(failed, { from, worked });
  const idsOf = (body: unknown) =>
    [
      ...mapItems(compiled(mapping), payload(body), {
        defaultRegion: 'BR',
        tracing: false,
        budget: createWorkBudget(),
      }),
    ].map(({ event }) => event.eventId);
  expect(idsOf(failed)).toEqual(['d-2002', 'd-1001']);
  expect(idsOf(worked)).toEqual(['d-1001']);
});

test('a body that became a list is read item by item', () => {
  const { mapping } = repair([next, lead]);
  const count = (body: unknown) =>
    [
      ...mapItems(compiled(mapping), payload(body), {
        defaultRegion: 'BR',
        tracing: false,
        budget: createWorkBudget(),
      }),
    ].length;
  expect([count([next, lead]), count(lead)]).toEqual([2, 1]);
});

test('fields in a template are replaced, with the old ones as fallbacks', () => {
  const from: MappingDocument = {
    ...document,
    message: { text: { template: '{{lead.name}}{{#if text}}: {{text}}{{/if}}' } },
  };
  const { text, ...rest } = next;
  const failed = { ...rest, message: text };
  const { mapping, unresolved } = repair(failed, { from });
  expect(unresolved).toEqual([]);
  expect(mapping.message).toEqual({
    text: { template: '{{lead.name}}{{#if message || text}}: {{message || text}}{{/if}}' },
  });
  expect(read(mapping, failed).message.text).toBe('Bruno Costa: Please call me back.');
  expect(read(mapping, lead).message.text).toBe('Ana Silva: I would like a visit on Saturday.');
});

test('what still works is not changed, and what is gone without a successor is named', () => {
  const { email: _, ...rest } = person;
  const { mapping, replacements, unresolved, gone, added } = repair({
    ...next,
    lead: rest,
    x: true,
  });
  expect(mapping).toEqual(document);
  expect(replacements).toEqual([]);
  expect(unresolved).toEqual(['contact.email']);
  expect(gone).toEqual(['lead.email']);
  expect(added).toEqual([]);
});

test('a value of another kind replaces nothing', () => {
  const { email: _, ...rest } = person;
  const { unresolved } = repair({
    ...next,
    lead: { ...rest, email_opened_at: '2026-03-05T09:30:00Z' },
  });
  expect(unresolved).toEqual(['contact.email']);
});

test('without a payload that worked the empty targets are filled from the suggestion', () => {
  const { phone, ...rest } = person;
  const failed = { ...next, lead: { ...rest, phone_number: phone } };
  const { mapping } = repair(failed, { worked: null });
  expect(read(mapping, failed).contact.phone).toBe('+5521977665544');
});

test('a repair of a repair adds a fallback, and the result is deterministic', () => {
  const { phone, ...rest } = person;
  const second = { ...next, lead: { ...rest, mobile: phone } };
  const third = { ...next, lead: { ...rest, cellphone: phone } };
  const once = repair(second).mapping;
  const twice = repair(third, { from: once, worked: second }).mapping;
  for (const body of [lead, second, third]) expect(read(twice, body).contact.phone).not.toBeNull();
  expect(repair(second)).toEqual(repair(second));
  const again = repair(second, { from: once });
  expect([again.replacements, again.unresolved, again.mapping]).toEqual([[], [], once]);
});
