/**
 * A route as data: what it is called, who may, what it takes and what it answers.
 * The same schemas validate requests, type the handlers and make the OpenAPI document, so that none of them drifts.
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { Language } from '../base/errors.ts';
import type { Caller, Scope } from '../domain/token.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A request that has passed every check. */
export type Call<Params = unknown, Query = unknown, Body = unknown> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  readonly language: Language;
  /** Scheme, host and path prefix under which senders reach this service; no slash at the end. */
  readonly baseUrl: string;
};

type None = TObject<Record<never, never>>;

type RouteOptions<
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
  Answer extends TSchema,
  Other extends TSchema,
> = {
  readonly method: Method;
  /** Parameters as `:name`. */
  readonly path: string;
  readonly scope: Scope;
  readonly summary: string;
  /** 200 where it is left out. */
  readonly status?: 200 | 201;
  /** What does not match is 404. */
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** An empty body counts as `{}`. */
  readonly action?: true;
  readonly answer: Answer;
  /** What some bodies are answered with instead. */
  readonly instead?: {
    readonly status: 200;
    readonly when: (body: Static<Body>) => boolean;
    readonly answer: Other;
  };
  /** Rejects with `not_found` where the path names nothing; asked before the body is read. */
  readonly exists?: (params: Static<Params>) => Promise<unknown>;
  readonly handle: (
    call: Call<Static<Params>, Static<Query>, Static<Body>>,
  ) => Promise<Static<Answer> | Static<Other>>;
};

export type Route = {
  readonly method: Method;
  readonly path: string;
  readonly scope: Scope;
  readonly summary: string;
  readonly status: 200 | 201;
  readonly params: TObject | undefined;
  readonly query: TObject | undefined;
  readonly body: TObject | undefined;
  readonly action: boolean;
  readonly answer: TSchema;
  readonly instead:
    | { readonly status: 200; readonly when: (body: never) => boolean; readonly answer: TSchema }
    | undefined;
  readonly exists: ((params: never) => Promise<unknown>) | undefined;
  readonly handle: (call: Call<never, never, never>) => Promise<unknown>;
};

/** Forgets the types once they have been checked against each other. */
export function route<
  Answer extends TSchema,
  Params extends TObject = None,
  Query extends TObject = None,
  Body extends TObject = None,
  Other extends TSchema = Answer,
>(options: RouteOptions<Params, Query, Body, Answer, Other>): Route {
  const { params, query, body, instead, exists, status = 200, action = false } = options;
  return { ...options, params, query, body, instead, exists, status, action };
}
