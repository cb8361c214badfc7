/**
 * Routes of records: lists, and resources, which clients read and change. A resource defines how a record is shown and the
 * etag of one state of it, so that two clients cannot overwrite each other.
 *
 * The handler of a resource route returns the record, which is answered with its `ETag`. A route that changes a record
 * also names it by `find` and passes its caller on as the actor: `If-Match` is compared before the body is read, and
 * again by the store, inside the transaction that changes the record (`actor.checkPrecondition`).
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { orNotFound } from '../../base/errors.ts';
import type { Language } from '../../base/texts/texts.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { createEtag, WithEtag } from '../requests/etag.ts';
import { listQuery, pageSchema, parsePaging, presentPage } from '../requests/query.ts';
import {
  route,
  type BodyOf,
  type Call,
  type CommonOptions,
  type None,
  type Route,
  type RouteOptions,
} from './route.ts';
import { emptyBody, nothing } from './schemas.ts';

type Shown<Stored, Answer extends TSchema> = {
  readonly answer: Answer;
  readonly present: (record: Stored, language: Language) => Static<Answer>;
};

type ListOptions<Stored, Params extends TObject, Filters extends TProperties> = Omit<
  CommonOptions<Params, None>,
  'query'
> & {
  /** The field of the record for each name in `sort_by`. */
  readonly sortable: Readonly<Record<string, string>>;
  /** The default of `sort_by`; a minus sign for descending order. */
  readonly sortBy: string;
  readonly filters?: Filters;
  readonly list: (
    call: Call<Static<Params>, Static<TObject<Filters>>>,
    page: Page,
  ) => Promise<Paged<Stored>>;
};

/** Creates a GET route that answers one page of records, in an order that the client selects. */
export function listRoute<
  Stored,
  Answer extends TSchema,
  Filters extends TProperties = Record<never, never>,
  Params extends TObject = None,
>(
  { answer, present }: Shown<Stored, Answer>,
  { sortable, sortBy, filters, list, ...options }: ListOptions<Stored, Params, Filters>,
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

export type Resource<Stored, Answer extends TSchema> = {
  readonly answer: Answer;
  /** Default language: English. */
  readonly present: (record: Stored, language?: Language) => Static<Answer>;
  readonly etagOf: (record: Stored) => string;
  readonly show: (record: Stored, language: Language) => WithEtag<Static<Answer>>;
};

type ResourceOptions<Stored, Answer extends TSchema> = Shown<Stored, Answer> & {
  /** Fields that change by use, such as counters. They are not part of the etag. */
  readonly untagged?: readonly (keyof Static<Answer> & string)[];
};

export function resource<Stored, Answer extends TSchema>({
  answer,
  present: presentIn,
  untagged = [],
}: ResourceOptions<Stored, Answer>): Resource<Stored, Answer> {
  const excluded = new Set<string>(untagged);
  const present = (record: Stored, language: Language = 'en') => presentIn(record, language);
  /** The etag is that of the English text, whatever the caller's language is. */
  function etagOf(record: Stored): string {
    const shown = Object.entries(present(record) as object);
    return createEtag(shown.filter(([name]) => !excluded.has(name)));
  }
  const show = (record: Stored, language: Language) =>
    new WithEtag(present(record, language), etagOf(record), { isWhole: excluded.size === 0 });
  return { answer, present, etagOf, show };
}

type Options<Stored, Params extends TObject, Query extends TObject, Body extends TSchema> = Omit<
  RouteOptions<Params, Query, Body, TSchema, TSchema>,
  'answer' | 'alternative' | 'handle' | 'etagOf'
> & {
  readonly handle: (call: Call<Static<Params>, Static<Query>, BodyOf<Body>>) => Promise<Stored>;
};

export function resourceRoute<
  Stored,
  Answer extends TSchema,
  Params extends TObject = None,
  Query extends TObject = None,
  Body extends TSchema = None,
>(
  { answer, etagOf, show }: Resource<Stored, Answer>,
  options: Options<Stored, Params, Query, Body>,
): Route {
  type Checked = Call<Static<Params>, Static<Query>, BodyOf<Body>>;
  const handle = async (call: Checked) => show(await options.handle(call), call.language);
  return route<TSchema, Params, Query, Body>({ ...options, answer, etagOf, handle });
}

type RecordOptions<Stored, Params extends TObject> = {
  /** Of the record, with its id. */
  readonly path: string;
  readonly params: Params;
  readonly restriction?: CommonOptions<Params, None>['restriction'];
  /** Null is answered with 404. */
  readonly find: (params: Static<Params>) => Promise<Stored | null>;
};
type Named<Params extends TObject> = Pick<
  CommonOptions<Params, None>,
  'scope' | 'restriction' | 'summary' | 'operationId' | 'tag' | 'schemaName'
>;
type Handled<Result, Params extends TObject, Body extends TSchema> = Named<Params> & {
  readonly body?: Body;
  readonly handle: (call: Call<Static<Params>, Static<None>, BodyOf<Body>>) => Promise<Result>;
};

/** Returns constructors of the routes of one record. An action is a POST below the path of the record; its body may be empty. */
export function recordRoutes<Stored, Answer extends TSchema, Params extends TObject>(
  shown: Resource<Stored, Answer>,
  { find, ...record }: RecordOptions<Stored, Params>,
) {
  const { etagOf } = shown;
  const pathOf = (action: string) => `${record.path}/${action}`;
  return {
    read: (options: Named<Params>): Route =>
      resourceRoute<Stored, Answer, Params>(shown, {
        ...record,
        ...options,
        method: 'GET',
        handle: async ({ params }) => orNotFound(await find(params)),
      }),

    change: <Body extends TSchema>(options: Handled<Stored, Params, Body>): Route =>
      resourceRoute<Stored, Answer, Params, None, Body>(shown, {
        ...record,
        ...options,
        find,
        method: 'PATCH',
      }),

    remove: (options: Handled<void, Params, None>): Route =>
      route<TSchema, Params>({
        ...record,
        ...options,
        find,
        method: 'DELETE',
        etagOf,
        answer: nothing,
      }),

    /** The answer is the record. */
    act: <Body extends TSchema = None>(
      action: string,
      options: Handled<Stored, Params, Body>,
    ): Route =>
      resourceRoute<Stored, Answer, Params, None, Body>(shown, {
        ...record,
        allowsEmptyBody: true,
        ...options,
        body: options.body ?? (emptyBody.body as unknown as Body),
        find,
        method: 'POST',
        path: pathOf(action),
      }),

    /** The answer is not the record. */
    ask: <Other extends TSchema>(
      action: string,
      options: Handled<Static<Other>, Params, None> & { readonly answer: Other },
    ): Route =>
      route<TSchema, Params>({
        ...record,
        ...emptyBody,
        ...options,
        find,
        method: 'POST',
        path: pathOf(action),
        etagOf,
        hasEtag: false,
      }),
  };
}
