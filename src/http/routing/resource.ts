/**
 * A resource: a record that clients read and change. It defines how a record is shown and the etag of one state of it, so
 * that two clients cannot overwrite each other.
 *
 * The handler of a resource route returns the record, which is answered with its `ETag`. A route that changes a record
 * also names it by `find` and passes its caller on as the actor: `If-Match` is compared before the body is read, and
 * again by the store, inside the transaction that changes the record (`actor.checkPrecondition`).
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { Language } from '../../base/errors.ts';
import { createEtag, WithEtag } from '../requests/etag.ts';
import {
  route,
  type BodyOf,
  type Call,
  type None,
  type Route,
  type RouteOptions,
} from './route.ts';

type Resource<Stored, Answer extends TSchema> = {
  readonly answer: Answer;
  readonly present: (record: Stored, language: Language) => Static<Answer>;
  readonly etagOf: (record: Stored) => string;
  readonly show: (record: Stored, language: Language) => WithEtag<Static<Answer>>;
};

type ResourceOptions<Stored, Answer extends TSchema> = {
  readonly answer: Answer;
  readonly present: (record: Stored, language: Language) => Static<Answer>;
  /** Fields that change by use, such as counters. They are not part of the etag. */
  readonly untagged?: readonly (keyof Static<Answer> & string)[];
};

export function resource<Stored, Answer extends TSchema>({
  answer,
  present,
  untagged = [],
}: ResourceOptions<Stored, Answer>): Resource<Stored, Answer> {
  const excluded = new Set<string>(untagged);
  /** The etag is that of the English text, whatever the caller's language is. */
  function etagOf(record: Stored): string {
    const shown = Object.entries(present(record, 'en') as object);
    return createEtag(shown.filter(([name]) => !excluded.has(name)));
  }
  const show = (record: Stored, language: Language) =>
    new WithEtag(present(record, language), etagOf(record), { isWhole: excluded.size === 0 });
  return { answer, present, etagOf, show };
}

type Options<Stored, Params extends TObject, Query extends TObject, Body extends TSchema> = Omit<
  RouteOptions<Params, Query, Body, TSchema, TSchema>,
  'answer' | 'alternative' | 'find' | 'handle' | 'etagOf'
> & {
  readonly find?: (params: Static<Params>) => Promise<Stored>;
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
