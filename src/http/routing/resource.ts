/**
 * A thing that people read and change over the API: how a record of it is shown, and by which tag one state of it is told
 * from another, so that two people cannot write over each other.
 *
 * A route of a resource hands on the record that its handler gives: it is shown, with its `ETag`. One that changes something
 * names the record by `exists` as well, and gives its caller as the actor of the change: `If-Match` is held against the
 * record before the body is read, and again by the store, inside the transaction that changes it (`actor.checkPrecondition`).
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { Language } from '../../base/errors.ts';
import { createEtag, WithEtag } from '../requests/etag.ts';
import { route, type Call, type None, type Route, type RouteOptions } from './route.ts';

export type Resource<Kept, Answer extends TSchema> = {
  readonly answer: Answer;
  readonly present: (record: Kept, language: Language) => Static<Answer>;
  readonly tagOf: (record: Kept) => string;
  readonly show: (record: Kept, language: Language) => WithEtag<Static<Answer>>;
};

type ResourceOptions<Kept, Answer extends TSchema> = {
  readonly answer: Answer;
  readonly present: (record: Kept, language: Language) => Static<Answer>;
  /** What changes by mere use, such as a count of uses: no part of the tag. */
  readonly untagged?: readonly (keyof Static<Answer>)[];
};

export function resource<Kept, Answer extends TSchema>({
  answer,
  present,
  untagged = [],
}: ResourceOptions<Kept, Answer>): Resource<Kept, Answer> {
  /** In one language, whoever asks. */
  function tagOf(record: Kept): string {
    const shown = Object.entries(present(record, 'en') as object);
    return createEtag(shown.filter(([name]) => !untagged.includes(name as never)));
  }
  const show = (record: Kept, language: Language) =>
    new WithEtag(present(record, language), tagOf(record), untagged.length === 0);
  return { answer, present, tagOf, show };
}

type Given<Kept, Params extends TObject, Query extends TObject, Body extends TSchema> = Omit<
  RouteOptions<Params, Query, Body, TSchema, TSchema>,
  'answer' | 'instead' | 'exists' | 'handle' | 'tagOf'
> & {
  readonly exists?: (params: Static<Params>) => Promise<Kept>;
  readonly handle: (call: Call<Static<Params>, Static<Query>, Static<Body>>) => Promise<Kept>;
};

export function resourceRoute<
  Kept,
  Answer extends TSchema,
  Params extends TObject = None,
  Query extends TObject = None,
  Body extends TSchema = None,
>(of: Resource<Kept, Answer>, options: Given<Kept, Params, Query, Body>): Route {
  return route<Answer, Params, Query, Body>({
    ...options,
    answer: of.answer,
    tagOf: of.tagOf,
    handle: async (call: Call) => of.show(await options.handle(call as never), call.language),
  } as never);
}
