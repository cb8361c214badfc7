/**
 * A route as data: what it is called, who may, what it takes and what it answers.
 * The same schemas validate requests, type the handlers and make the OpenAPI document, so that none of them drifts.
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { Language } from '../../base/errors.ts';
import type { Caller, ResourceOwner, Scope } from '../../domain/access/token.ts';
import type { WithEtag, EtagOf } from '../requests/etag.ts';
import type { LiveItem, StreamFormat, StreamContext } from './streams.ts';

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

/**
 * What a token that is restricted to some webhooks or channels may do with a route: nothing where this is left out (403).
 * `anything`: the route shows nothing of any webhook or channel. `narrowed`: the handler shows and takes only what the
 * caller reaches. A function says where the thing in the path belongs (several places: all must be within reach; none: it is
 * not); out of reach it is 404, as if it were not there.
 * It is asked only for restricted tokens, before `exists`, and may throw `not_found` itself.
 */
export type RouteRestriction<Params> =
  'anything' | 'narrowed' | ((params: Params) => Places | Promise<Places>);
type Places = ResourceOwner | readonly ResourceOwner[];

/** The body of a route that takes any content type, as it came; at most 1 MiB. */
export type RawBody = { readonly contentType: string | undefined; readonly bytes: Buffer };

export type None = TObject<Record<never, never>>;
type Taken = TSchema | 'raw';
type BodyOf<Body extends Taken> = Body extends 'raw' ? RawBody : Static<Body>;

type ScopeOf = Readonly<Record<string, Scope>>;

type CommonOptions<Params extends TObject, Query extends TObject> = {
  /** Parameters as `:name`. */
  readonly path: string;
  readonly scope: Scope;
  /** What a parameter of the query takes as well, where it is `true`. */
  readonly scopeOf?: ScopeOf;
  readonly reach?: RouteRestriction<Static<Params>>;
  readonly summary: string;
  /** What does not match is 404. */
  readonly params?: Params;
  readonly query?: Query;
  /** The query names one thing: where there is none, the answer is 404. */
  readonly findsOne?: true;
  /** Rejects with `not_found` where the path names nothing; asked before the body is read. */
  readonly exists?: (params: Static<Params>) => Promise<unknown>;
};

export type RouteOptions<
  Params extends TObject,
  Query extends TObject,
  Body extends Taken,
  Answer extends TSchema,
  Other extends TSchema,
> = CommonOptions<Params, Query> & {
  readonly method: Method;
  /** 200 where it is left out. */
  readonly status?: 200 | 201;
  /** Of an object; of a PATCH, made by `patchOf`. `raw`: any content type, uncompressed, undecoded, unchecked; then `body` is a RawBody. */
  readonly body?: Body;
  /** An empty body counts as `{}`. */
  readonly action?: true;
  readonly answer: Answer;
  /**
   * The answer carries an `ETag` of itself. Resources have a better one: see resource.ts. `false`: it tells of something
   * else than what `tagOf` is about.
   */
  readonly tagged?: boolean;
  /** The tag of what `exists` gives: `If-Match` is held against it. Without, only `*` matches. */
  readonly tagOf?: EtagOf;
  /** What some bodies are answered with instead. */
  readonly instead?: {
    readonly status: 200;
    readonly when: (body: BodyOf<Body>) => boolean;
    readonly answer: Other;
  };
  readonly handle: (
    call: Call<Static<Params>, Static<Query>, BodyOf<Body>>,
  ) => Promise<Static<Answer> | Static<Other> | WithEtag<Static<Answer>>>;
};

type ItemOf<Form extends StreamFormat, Answer extends TObject> = Form extends 'sse'
  ? Omit<LiveItem, 'data'> & { readonly data: Static<Answer> }
  : Static<Answer>;

type StreamOptions<
  Params extends TObject,
  Query extends TObject,
  Answer extends TObject,
  Form extends StreamFormat,
> = CommonOptions<Params, Query> & {
  readonly stream: Form;
  /** One line of an export, or the `data` of a live item: an object, no beginning of which can be read as JSON. */
  readonly answer: Answer;
  /** Under which name a browser saves it. */
  readonly fileName?: string;
  /**
   * What it rejects with is answered as an error. So is what an export's source throws before its first line; a live
   * stream has begun by then. A source that waits should end by `signal`.
   */
  readonly handle: (
    call: Call<Static<Params>, Static<Query>, Static<None>> & StreamContext,
  ) => Promise<AsyncIterable<ItemOf<Form, Answer>>>;
};

export type Route = {
  readonly method: Method;
  readonly path: string;
  readonly scope: Scope;
  readonly scopeOf?: ScopeOf;
  readonly reach: RouteRestriction<never> | undefined;
  readonly summary: string;
  readonly status: 200 | 201;
  readonly params: TObject | undefined;
  readonly query: TObject | undefined;
  readonly findsOne?: true;
  readonly body: Taken | undefined;
  /** The answer then is the schema of one item, and `handle` gives an AsyncIterable. */
  readonly stream: StreamFormat | undefined;
  readonly fileName: string | undefined;
  readonly tagged: boolean | undefined;
  readonly tagOf: EtagOf | undefined;
  readonly action: boolean;
  readonly answer: TSchema;
  readonly instead:
    | { readonly status: 200; readonly when: (body: never) => boolean; readonly answer: TSchema }
    | undefined;
  readonly exists: ((params: never) => Promise<unknown>) | undefined;
  readonly handle: (call: Call<never, never, never> & StreamContext) => Promise<unknown>;
};

/** Forgets the types once they have been checked against each other. */
export function route<
  Answer extends TSchema,
  Params extends TObject = None,
  Query extends TObject = None,
  Body extends Taken = None,
  Other extends TSchema = Answer,
>(options: RouteOptions<Params, Query, Body, Answer, Other>): Route {
  const { reach, params, query, body, instead, exists, status = 200, action = false } = options;
  const { tagged, tagOf } = options;
  const whole = { reach, params, query, body, instead, exists, status, action, tagged, tagOf };
  return { ...options, ...whole, stream: undefined, fileName: undefined };
}

/** A GET that is answered by an export (`ndjson`, one JSON object a line) or by live items (`sse`), outside the envelope. */
export function streamRoute<
  Answer extends TObject,
  Form extends StreamFormat,
  Params extends TObject = None,
  Query extends TObject = None,
>(options: StreamOptions<Params, Query, Answer, Form>): Route {
  const { reach, params, query, exists, fileName } = options;
  const fixed = { method: 'GET', status: 200, action: false, tagged: false } as const;
  return {
    ...options,
    ...fixed,
    reach,
    params,
    query,
    exists,
    fileName,
    body: undefined,
    instead: undefined,
    tagOf: undefined,
  };
}
