import type { MappingDocument } from '../../../../src/domain/mappings/mapping.ts';
import { observeBody } from '../../../../src/mapping/drift/observe-body.ts';
import { createPathMatcher, readPathsByTarget } from '../../../../src/mapping/drift/read-paths.ts';
import { exampleBody, exampleDocument } from '../example-mapping.ts';

const body = {
  a: { b: [{ c: 1, d: 2 }], e: { f: 1 }, g: [1] },
  lists: [{ inner: [{ x: 1, y: 1 }] }],
  byName: { one: { v: 1 } },
  fields: [
    { code: 'PHONE', value: 1 },
    { code: 'MAIL', value: 2 },
  ],
};

function readBy(path: string): string[] {
  const reads = readPathsByTarget({ eventType: { path } });
  return [...observeBody(body).paths.keys()].filter(
    createPathMatcher(reads.get('eventType') ?? []),
  );
}

test.each<[string, string[]]>([
  ['a.e.f', ['a.e.f']],
  ['a.e', ['a.e']],
  ['a.b[0].c', ['a.b[].c']],
  ['a.b[*].c', ['a.b[].c']],
  ['a.b[].c | [0]', ['a.b[].c']],
  ['a.b[-1:].d', ['a.b[].d']],
  ['a.g[0]', ['a.g[]']],
  ['lists[].inner[].x', ['lists[].inner[].x']],
  ['lists[*].inner[0].y', ['lists[].inner[].y']],
  ["join(' ', [to_string(a.e.f), to_string(a.g[0])])", ['a.e.f', 'a.g[]']],
  ['a.nothing || a.e.f', ['a.e.f']],
  ['a.e.f && byName.one.v', ['a.e.f', 'byName.one.v']],
  ['a.e.f == `1` ? a.g[0] : byName.one.v', ['a.e.f', 'a.g[]', 'byName.one.v']],
  ['sort_by(a.b, &d)[0].c', ['a.b', 'a.b[].c', 'a.b[].d']],
  ['{ x: a.e.f }.x', ['a.e.f']],
  ['$.a.e.f', ['a.e.f']],
  [
    "fields[?code=='PHONE'].value | [0]",
    // The filter reads the code of every element.
    ["fields[?code=='PHONE'].code", "fields[?code=='PHONE'].value", "fields[?code=='MAIL'].code"],
  ],
])('%s reads %j', (path, expected) => {
  expect(readBy(path)).toEqual(expected);
});

test('the parts of a source count for its target, and every target is listed', () => {
  const reads = readPathsByTarget(exampleDocument as MappingDocument);
  expect([...reads.keys()].toSorted()).toEqual(
    [
      'filter',
      'eventId',
      'eventType',
      'eventDate',
      'contact.externalId',
      'contact.name',
      'contact.phone',
      'contact.email',
      'contact.document',
      'contact.fields.city',
      'message.text',
      'context.origin',
      'context.campaign',
      'context.labels',
      'context.sector',
    ].toSorted(),
  );
  const paths = [...observeBody(exampleBody).paths.keys()];
  const readFor = (target: string) => paths.filter(createPathMatcher(reads.get(target) ?? []));
  expect(readFor('contact.name')).toEqual(['lead.first_name', 'lead.last_name']);
  expect(readFor('contact.phone')).toContain("lead.fields[?code=='PHONE'].value");
  expect(readFor('contact.phone')).not.toContain("lead.fields[?code=='EMAIL'].value");
  expect(readFor('context.sector')).toEqual([]);
});

test('the paths in the options of a transform count too', () => {
  const transforms = [{ template: { text: '{{value}} ({{lead.city}})' } }, 'trim'];
  const reads = readPathsByTarget({ contact: { name: { path: 'lead.name', transforms } } });
  expect(reads.get('contact.name')).toEqual(new Set(['lead.name', 'lead.city']));
});

test('paths outside of the item of a split are left out', () => {
  const contact = { name: { path: 'name', root: true }, email: { path: 'email' } };
  expect(readPathsByTarget({ split: 'items', contact }).get('contact.name')).toEqual(new Set());
  expect(readPathsByTarget({ contact }).get('contact.name')).toEqual(new Set(['name']));
});

test('an expression with many flattenings is followed up to a bound', () => {
  const path = `a${'[]'.repeat(40)}`;
  expect(
    (readPathsByTarget({ eventType: { path } }).get('eventType') ?? new Set()).size,
  ).toBeLessThan(100);
});
