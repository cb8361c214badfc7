import { Type } from 'typebox';
import { AppError } from '../../../../src/base/errors.ts';
import {
  listQuery,
  parseDateParameter,
  presentPage,
  parsePaging,
  readQuery,
  commaList,
} from '../../../../src/http/requests/query.ts';
import { compileValidator } from '../../../../src/http/requests/validation.ts';

const schema = listQuery(['name'], {
  id: commaList(Type.Integer()),
  flag: Type.Optional(Type.Boolean()),
  text: Type.Optional(Type.String()),
});
const read = (search: string) =>
  readQuery(new URLSearchParams(search), schema, {
    check: compileValidator(schema),
    allowsRepeats: false,
  });

function problems(search: string): unknown {
  try {
    read(search);
    return 'accepted';
  } catch (error) {
    return error instanceof AppError ? error.details.fields?.map(({ path }) => path) : error;
  }
}

test('texts are converted to the types of the schema', () => {
  expect({ ...(read('per_page=20&id=1,2&flag=true&text=5&sort_by=-name') as object) }).toEqual({
    per_page: 20,
    id: [1, 2],
    flag: true,
    text: '5',
    sort_by: '-name',
  });
});

test.each([
  ['per_page=', ['per_page']],
  ['per_page=+5', ['per_page']],
  ['per_page=5.0', ['per_page']],
  ['per_page=0x5', ['per_page']],
  ['per_page=-1', ['per_page']],
  ['current_page=99999999999', ['current_page']],
  ['flag=1', ['flag']],
  ['id=1,,2', ['id']],
  ['id=', ['id']],
  ['sort_by=--name', ['sort_by']],
  ['flag=true&flag=true', ['flag']],
  ['__proto__=1', ['__proto__']],
  ['constructor=1', ['constructor']],
])('%s is rejected', (search, paths) => {
  expect(problems(search)).toEqual(paths);
});

test('paging gives the number of items to skip, and sorting the field of the record', () => {
  const page = parsePaging(
    { current_page: 3, per_page: 20, sort_by: '-name' },
    { name: 'nameKey' },
    '',
  );
  expect(page).toEqual({ skip: 40, limit: 20, sort: { nameKey: -1 } });
});

test('an empty list has no pages', () => {
  const page = parsePaging({}, { name: 'name' }, 'name');
  expect(presentPage({ results: [], total: 0 }, page, String).pagings).toEqual({
    current_page: 1,
    total_pages: 0,
    per_page: 10,
    count: 0,
    total: 0,
    total_exact: true,
  });
});

test('the end of a range that is a day lasts until the end of the day', () => {
  expect(parseDateParameter('to', '2026-01-31', 'end')?.toISOString()).toBe(
    '2026-01-31T23:59:59.999Z',
  );
  expect(parseDateParameter('from', '2026-01-31')?.toISOString()).toBe('2026-01-31T00:00:00.000Z');
});
