/**
 * Query strings: text is converted to the types of the schema. A number is digits, a boolean `true` or `false`, a list is
 * separated by commas. Any other text is left as it is, and the schema rejects it.
 */
import { Type } from 'typebox';
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { AppError, invalidQuery, type FieldProblem } from '../../base/errors.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { strictObject } from '../routing/schemas.ts';
import type { Validator } from './validation.ts';

type Property = { readonly type?: string; readonly items?: Property };

const isList = (schema: Property | undefined): boolean => schema?.type === 'array';

function convert(text: string, schema: Property): unknown {
  if (isList(schema)) {
    return text.split(',').map((part) => convert(part.trim(), schema.items ?? {}));
  }
  if (schema.type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (schema.type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}

type QueryOptions = {
  readonly check: Validator;
  /** Whether `name=a&name=b` and `name[]=a&name[]=b` are the list `name=a,b`. */
  readonly allowsRepeats: boolean;
};

/** Throws `invalid_query` naming each parameter that is unknown, repeated or out of range. */
export function readQuery(
  search: URLSearchParams,
  schema: TObject,
  { check, allowsRepeats }: QueryOptions,
): unknown {
  const values: Record<string, unknown> = Object.create(null);
  const problems: FieldProblem[] = [];
  const given = allowsRepeats ? joinRepeats(search, schema) : search;
  for (const name of new Set(given.keys())) {
    const [text = '', ...repeated] = given.getAll(name);
    const property = (schema.properties as Record<string, Property>)[name];
    if (repeated.length > 0) problems.push({ path: name, message: 'field.repeated' });
    values[name] = Object.hasOwn(schema.properties, name) ? convert(text, property ?? {}) : text;
  }
  for (const { path, message } of check(values)) {
    const name = path.split('/')[1] ?? '';
    if (!problems.some((problem) => problem.path === name)) problems.push({ path: name, message });
  }
  if (problems.length > 0) throw new AppError('invalid_query', { details: { fields: problems } });
  return values;
}

/** Returns the query with every list parameter given once. */
function joinRepeats(search: URLSearchParams, { properties }: TObject): URLSearchParams {
  const joined = new URLSearchParams();
  for (const [name, text] of search) {
    const plain = name.replace(/\[\]$/, '');
    const isOfList = Object.hasOwn(properties, plain) && isList(properties[plain] as Property);
    const before = isOfList ? joined.get(plain) : null;
    if (before !== null) joined.set(plain, `${before},${text}`);
    else joined.append(isOfList ? plain : name, text);
  }
  return joined;
}

const maxPage = 2 ** 31 - 1;

const paging = {
  current_page: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPage, default: 1 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 10 })),
};

type Described = { readonly description?: string };

/** Each field ascending, and descending after a minus sign. */
export const sortParameter = (sortable: readonly string[], words: Described = {}) =>
  Type.Optional(
    Type.Enum(
      sortable.flatMap((field) => [field, `-${field}`]),
      words,
    ),
  );

/** Returns the query schema of a list: paging, sortable fields (a minus for descending order) and filters. */
export function listQuery<Filters extends TProperties>(
  sortable: readonly string[],
  filters: Filters,
) {
  return strictObject({ ...paging, sort_by: sortParameter(sortable), ...filters });
}

/** Returns the schema of values separated by commas; the filter matches any of them. */
export const commaList = <Item extends TProperties[string]>(item: Item, words: Described = {}) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems: 100, ...words }));

/** A text to compare with. Ids of senders are shorter than 500 characters. */
export const filterText = Type.String({ minLength: 1, maxLength: 500 });

/** A day (UTC), or a time with its zone. */
export const describedDate = (words: Described) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      anyOf: [{ format: 'date' }, { format: 'date-time' }],
      ...words,
    }),
  );
export const dateParameter = describedDate({});

export const dateRange = { from: dateParameter, to: dateParameter };

const dayMs = 86_400_000;

type RangeEdge = 'begin' | 'end';

/** Returns null for an invalid date. A day at the end of a range means the end of that day (UTC). */
export function parseDate(text: string, edge: RangeEdge): Date | null {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return null;
  return new Date(edge === 'end' && text.length === 10 ? time + dayMs - 1 : time);
}

/** Returns the date of a parameter. Throws `invalid_query` naming the parameter. */
export function parseDateParameter(
  name: string,
  text: string | undefined,
  edge: RangeEdge = 'begin',
): Date | undefined {
  if (text === undefined) return undefined;
  const date = parseDate(text, edge);
  if (date) return date;
  throw invalidQuery(name, 'field.not_a_date');
}

export const parseDateRange = (query: { from?: string; to?: string }) => ({
  from: parseDateParameter('from', query.from),
  to: parseDateParameter('to', query.to, 'end'),
});

type PageQuery = { current_page?: number; per_page?: number; sort_by?: unknown };
/** The field of the record for each sortable name. */
type SortFields = Readonly<Record<string, string>>;

/** Returns what the store needs for a page. `fallback` is the default of `sort_by`. */
export function parsePaging(query: PageQuery, fields: SortFields, fallback: string): Page {
  const { current_page: page = 1, per_page: limit = 10 } = query;
  const sortBy = typeof query.sort_by === 'string' ? query.sort_by : fallback;
  const field = fields[sortBy.replace(/^-/, '')] ?? '_id';
  const direction = sortBy.startsWith('-') ? -1 : 1;
  return { skip: (page - 1) * limit, limit, sort: { [field]: direction } };
}

export const pagings = Type.Object(
  {
    current_page: Type.Integer(),
    total_pages: Type.Integer(),
    per_page: Type.Integer(),
    count: Type.Integer({ description: 'On this page.' }),
    total: Type.Integer({ description: 'On all pages.' }),
    total_exact: Type.Boolean({ description: 'False: `total` is a lower bound.' }),
  },
  { additionalProperties: false },
);

export const pageSchema = <Item extends TSchema>(item: Item) =>
  strictObject({ pagings, results: Type.Array(item) });

/** Returns a page in the form that every list is answered with. */
export function presentPage<Item, Shown>(
  found: Paged<Item>,
  page: Pick<Page, 'skip' | 'limit'>,
  show: (item: Item) => Shown,
): { pagings: Static<typeof pagings>; results: Shown[] } {
  const { results, total, isExact = true } = found;
  return {
    pagings: {
      current_page: page.skip / page.limit + 1,
      total_pages: Math.ceil(total / page.limit),
      per_page: page.limit,
      count: results.length,
      total,
      total_exact: isExact,
    },
    results: results.map(show),
  };
}
