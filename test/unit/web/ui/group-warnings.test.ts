import { groupWarnings, type DriftWarning } from '../../../../web/src/ui/drift/group-warnings.ts';

const warning = (more: Partial<DriftWarning> & { readonly before?: number }) => ({
  kind: 'missing',
  target: 'contact.phone',
  path: 'lead.phone',
  before: 0.97,
  since: '2026-01-06T12:00:00.000Z',
  events: 23,
  ...more,
});
const wordsOf = ({ before }: { readonly before: number }) => `There in ${before}, and gone.`;

test('warnings of one target are one change with all its fields', () => {
  const changes = groupWarnings(
    [
      warning({}),
      warning({ path: 'lead.code', since: '2026-01-05T12:00:00.000Z', events: 25 }),
      warning({ path: 'lead.mobile', before: 0.5 }),
      warning({ target: 'contact.name' }),
    ],
    wordsOf,
  );
  expect(changes.map(({ paths }) => paths)).toEqual([
    ['lead.phone', 'lead.code'],
    ['lead.mobile'],
    ['lead.phone'],
  ]);
  expect(changes[0]).toMatchObject({ since: '2026-01-05T12:00:00.000Z', events: 25 });
});

test('unmapped fields are separate changes', () => {
  const fresh = { kind: 'new_path', target: null };
  const changes = groupWarnings([warning(fresh), warning({ ...fresh, path: 'lead.x' })], wordsOf);
  expect(changes.map(({ paths }) => paths)).toEqual([['lead.phone'], ['lead.x']]);
});
