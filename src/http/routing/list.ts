/** A list: a GET route that answers one page of records, in an order that the client selects. */
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { Language } from '../../base/errors.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { listQuery, pageSchema, parsePaging, presentPage } from '../requests/query.ts';
import { route, type Call, type None, type Route, type RouteOptions } from './route.ts';

type Options<Stored, Params extends TObject, Filters extends TProperties> = Omit<
  RouteOptions<Params, TObject<Filters>, None, TSchema, TSchema>,
  'method' | 'query' | 'answer' | 'handle'
> & {
  /** The field of the record for each name in `sort_by`. */
  readonly sortable: Readonly<Record<string, string>>;
  /** The default of `sort_by`; a minus sign for descending order. */
  readonly sortBy: string;
  readonly filters?: Filters;
  /** Resolves to a page of records. */
  readonly list: (
    call: Call<Static<Params>, Static<TObject<Filters>>>,
    page: Page,
  ) => Promise<Paged<Stored>>;
};

type Shown<Stored, Answer extends TSchema> = {
  readonly answer: Answer;
  readonly present: (record: Stored, language: Language) => Static<Answer>;
};

export function listRoute<
  Stored,
  Answer extends TSchema,
  Filters extends TProperties = Record<never, never>,
  Params extends TObject = None,
>(
  { answer, present }: Shown<Stored, Answer>,
  { sortable, sortBy, filters, list, ...options }: Options<Stored, Params, Filters>,
): Route {
  return route<TSchema, Params, TObject<Filters>>({
    ...options,
    method: 'GET',
    query: listQuery(Object.keys(sortable), filters ?? {}) as unknown as TObject<Filters>,
    answer: pageSchema(answer),
    handle: async (call) => {
      const page = parsePaging(call.query, sortable, sortBy);
      return presentPage(await list(call, page), page, (record) => present(record, call.language));
    },
  });
}
