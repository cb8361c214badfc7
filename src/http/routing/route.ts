/**
 * A route as data: method, path, scope, schemas and handler.
 * The schemas validate requests, type the handler and generate the OpenAPI document, so they cannot differ.
 */
import { Type } from 'typebox';
import type { Static, TObject, TSchema } from 'typebox';
import type { Language } from '../../base/texts/texts.ts';
import type { Caller, ResourceOwner, RequiredScope, Scope } from '../../domain/access/token.ts';
import type { SessionCookie } from '../auth/credential.ts';
import type { EtagOf, WithEtag } from '../requests/etag.ts';
import type { UploadedFile } from '../requests/files.ts';
import type { HeavyKind } from '../requests/heavy-work.ts';
import type { TagName } from '../openapi/tags.ts';
import type { FileAnswer } from './file-answer.ts';
import type { LiveItem, StreamFormat, StreamContext } from './streams.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The agent named by `x-underchat-user-id`, or the token alone. */
type RequestExecutor = { readonly agentId: string | null; readonly actor: Caller };

/** A request that has passed every check. */
export type Call<Params = unknown, Query = unknown, Body = unknown> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  readonly language: Language;
  /** Scheme, host and path prefix under which senders reach this service, without a trailing slash. */
  readonly baseUrl: string;
  readonly cookie: SessionCookie;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
  /** Who acts; the token alone in routes of the administration. */
  readonly executor: RequestExecutor;
  /** Of a route that accepts files. */
  readonly files: readonly UploadedFile[];
  /** Of a POST that accepts one. */
  readonly idempotencyKey: string | undefined;
};

type Owners = ResourceOwner | readonly ResourceOwner[];

/**
 * What a restricted token may do with a route. Undefined: nothing (403).
 * `anything`: the route shows nothing that belongs to a webhook or channel.
 * `narrowed`: the handler limits the result to the caller's webhooks and channels.
 * A function returns the owners of the resource in the path. The token needs access to all of them; without owners, or
 * without access, the answer is 404. The function is called for restricted tokens only, before `find`, and may throw
 * `not_found`.
 */
type RouteRestriction<Params = unknown> =
  | 'anything'
  | 'narrowed'
  | { check(params: Params): Owners | Promise<Owners> }['check'];

/** The body of a route that accepts any content type, undecoded; at most 1 MiB. */
export type RawBody = { readonly contentType: string | undefined; readonly bytes: Buffer };

export type None = TObject<Record<never, never>>;
type BodySchema = TSchema | 'raw';
export type BodyOf<Body extends BodySchema> = Body extends 'raw' ? RawBody : Static<Body>;

export type CommonOptions<Params extends TObject, Query extends TObject> = {
  /** Parameters are written as `:name`. */
  readonly path: string;
  readonly scope: RequiredScope;
  /** The additional scope that a query parameter requires when it is `true`. */
  readonly scopeOf?: Readonly<Record<string, Scope>>;
  readonly restriction?: RouteRestriction<Static<Params>>;
  readonly summary: string;
  /** The name of the operation in the API document and in the client; unique. */
  readonly operationId: string;
  readonly tag: TagName;
  /** The name, in the API document, of the schema of the answer, or of one result of a list. Default: the operation's name and `Answer`. */
  readonly schemaName?: string;
  /** Parameters that do not match are answered with 404. */
  readonly params?: Params;
  readonly query?: Query;
  /** The route costs a server much: a token has few of its requests in progress. With `when`, only those with one of these parameters. */
  readonly heavy?: { readonly kind: HeavyKind; readonly when?: readonly string[] };
  /** The query selects one resource; the answer is 404 if there is none. */
  readonly findsOne?: true;
  /** Some filters and orders need a webhook or the start of a time range; without it the answer is `unbounded_query`. */
  readonly needsBound?: true;
  /** Returns the record that the path names. Null is answered with 404. Called before the body is read. */
  readonly find?: (params: Static<Params>) => Promise<unknown>;
};

export type RouteOptions<
  Params extends TObject,
  Query extends TObject,
  Body extends BodySchema,
  Answer extends TSchema,
  Other extends TSchema,
> = CommonOptions<Params, Query> & {
  readonly method: Method;
  /** Default: 200. */
  readonly status?: 200 | 201;
  /** The schema of an object; for PATCH made by `patchSchema`. `raw`: any content type, uncompressed, unchecked, as RawBody. */
  readonly body?: Body;
  /** An empty body counts as `{}`. */
  readonly allowsEmptyBody?: true;
  /** The body may be a list. */
  readonly allowsList?: true;
  /** The body may also be `multipart/form-data` or `application/x-www-form-urlencoded`. */
  readonly allowsForm?: true;
  /** The body may also be `multipart/form-data` with the members as fields, and with files. */
  readonly allowsFiles?: true;
  /** Counts the items of a batch. For tokens with masked contacts each one counts as a request. */
  readonly itemsOf?: (body: BodyOf<Body>) => number;
  readonly answer: Answer;
  /**
   * `true`: the answer carries an `ETag` of itself; resources have a better one, see resource.ts. `false`: the answer
   * carries none, because it is not about the record of `etagOf`.
   */
  readonly hasEtag?: boolean;
  /** Returns the etag of the record of `find`, which `If-Match` is compared with. Without it only `*` matches. */
  readonly etagOf?: EtagOf;
  /** Another answer, for some bodies or results of the handler. */
  readonly alternative?: {
    readonly status: 200;
    readonly when: (body: BodyOf<Body>, result: Static<Answer> | Static<Other>) => boolean;
    readonly answer: Other;
  };
  readonly handle: (
    call: Call<Static<Params>, Static<Query>, BodyOf<Body>>,
  ) => Promise<Static<Answer> | Static<Other> | WithEtag<Static<Answer>>>;
};

type ItemOf<Format extends StreamFormat, Answer extends TObject> = Format extends 'sse'
  ? Omit<LiveItem, 'data'> & { readonly data: Static<Answer> }
  : Static<Answer>;

type StreamOptions<
  Params extends TObject,
  Query extends TObject,
  Answer extends TObject,
  Format extends StreamFormat,
> = CommonOptions<Params, Query> & {
  readonly stream: Format;
  /** The schema of one line of an export, or of the `data` of a live item. An object: no prefix of it is valid JSON. */
  readonly answer: Answer;
  readonly fileName?: string;
  /**
   * Rejections are answered as errors, and so are errors of an export's source before its first line. A live stream
   * has already begun by then. A source that waits should end when `signal` is aborted.
   */
  readonly handle: (
    call: Call<Static<Params>, Static<Query>, Static<None>> & StreamContext,
  ) => Promise<AsyncIterable<ItemOf<Format, Answer>>>;
};

/**
 * A route without its type parameters. Its functions are declared as methods, whose parameters TypeScript compares
 * bivariantly: `route` has already checked them against the schemas.
 */
export type Route = Omit<
  RouteOptions<TObject, TObject, BodySchema, TSchema, TSchema>,
  'restriction' | 'status' | 'alternative' | 'itemsOf' | 'find' | 'handle'
> & {
  readonly restriction?: RouteRestriction;
  readonly status: 200 | 201;
  /** If set, `answer` is the schema of one item, and `handle` returns an AsyncIterable. */
  readonly stream?: StreamFormat;
  readonly fileName?: string;
  /** If set, `handle` returns a FileAnswer. */
  readonly isFile?: true;
  readonly alternative?: {
    readonly status: 200;
    when(body: unknown, result: unknown): boolean;
    readonly answer: TSchema;
  };
  itemsOf?(body: unknown): number;
  find?(params: unknown): Promise<unknown>;
  handle(call: Call & Partial<StreamContext>): Promise<unknown>;
};

/** Whether the route belongs to the conversations API, whose clients repeat list parameters and name an agent. */
export const isConversationRoute = ({ scope, path }: Pick<Route, 'scope' | 'path'>): boolean =>
  scope === 'inbox' && !path.startsWith('/v1/admin/');

export function route<
  Answer extends TSchema,
  Params extends TObject = None,
  Query extends TObject = None,
  Body extends BodySchema = None,
  Other extends TSchema = Answer,
>(options: RouteOptions<Params, Query, Body, Answer, Other>): Route {
  return { status: 200, ...options };
}

/** Creates a GET route outside the envelope: an export (`ndjson`, one JSON object a line) or live items (`sse`). */
export function streamRoute<
  Answer extends TObject,
  Format extends StreamFormat,
  Params extends TObject = None,
  Query extends TObject = None,
>(options: StreamOptions<Params, Query, Answer, Format>): Route {
  return { ...options, method: 'GET', status: 200, hasEtag: false };
}

type FileOptions<Params extends TObject> = CommonOptions<Params, None> & {
  readonly handle: (call: Call<Static<Params>>) => Promise<FileAnswer>;
};

/** Creates a GET route that answers the bytes of a file, outside the envelope. */
export function fileRoute<Params extends TObject = None>(options: FileOptions<Params>): Route {
  const answer = Type.Unsafe<FileAnswer>({ type: 'string', format: 'binary' });
  return { ...options, method: 'GET', status: 200, hasEtag: false, isFile: true, answer };
}
