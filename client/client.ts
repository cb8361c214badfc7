/**
 * Calls Inlet's APIs by operation, as the OpenAPI document names them, with the types that are generated from it.
 *
 * Promises: what comes back is the value in the envelope's `data`; everything but a success is thrown as an InletError.
 * Must never: put a token anywhere but into the header.
 */
import { operations, type Operations } from './operations.ts';

export type Operation = keyof Operations;
type Whole<Name extends Operation> = Operations[Name]['answer'];
/** What the envelope holds; a stream has none. */
export type Answer<Name extends Operation> =
  Whole<Name> extends { status: true; data: infer Data } ? Data : Whole<Name>;

/** Undefined where the operation has no such part. */
export type PartOf<Name extends Operation, Key extends 'params' | 'query' | 'body'> =
  Operations[Name] extends Readonly<Record<Key, infer Value>> ? Value : undefined;

/** Optional when none of its members is required. */
type Part<Name extends string, Value> = undefined extends Value
  ? { readonly [key in Name]?: Value }
  : Partial<Value> extends Value
    ? { readonly [key in Name]?: Value }
    : { readonly [key in Name]: Value };
export type Request<Name extends Operation> = Part<'params', PartOf<Name, 'params'>> &
  Part<'query', PartOf<Name, 'query'>> &
  Part<'body', PartOf<Name, 'body'>> & {
    readonly headers?: Readonly<Record<string, string>>;
    /** Sent as multipart/form-data, where the operation takes files. */
    readonly form?: FormData;
    readonly signal?: AbortSignal;
  };

type Problem = {
  readonly path: string;
  readonly message: string;
  /** A stable code of the problem, if it has one, and the name or limit that it refers to. */
  readonly kind?: string;
  readonly about?: string;
};
type Failure = {
  readonly message?: string;
  readonly data?: { readonly code?: string; readonly requestId?: string } & Details;
};
/** A record that prevents the deletion. */
type User = { readonly type: string; readonly id: string; readonly name: string };
type Details = {
  readonly fields?: readonly Problem[];
  readonly state?: string;
  readonly missing?: readonly string[];
  readonly usedBy?: readonly User[];
  /** The record that conflicts. */
  readonly contactId?: string;
  readonly chatId?: string;
};

/** `code` is an error code of the API; null when the response is not from Inlet. */
export class InletError extends Error {
  override readonly name = 'InletError';
  readonly status: number;
  readonly code: string | null;
  readonly requestId: string | null;
  readonly details: Details;
  /** When to repeat the request; null when the answer does not say. */
  readonly retryAfterMs: number | null;

  constructor(status: number, { message, data = {} }: Failure, retryAfterMs: number | null = null) {
    super(message ?? `Answered ${status}.`);
    this.status = status;
    this.code = data.code ?? null;
    this.requestId = data.requestId ?? null;
    this.details = data;
    this.retryAfterMs = retryAfterMs;
  }
}

export type ClientOptions = {
  /** Scheme and host, and a path before /v1 if there is one; empty in a browser on the same host. */
  readonly baseUrl: string;
  /** Asked for each call, so that it can change. */
  readonly token: () => string | null;
  readonly language?: string;
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>>;
};

export type Read<Name extends Operation> = {
  readonly data: Answer<Name>;
  readonly tag: string | null;
};

export type Client = {
  call<Name extends Operation>(name: Name, request: Request<Name>): Promise<Answer<Name>>;
  /** As `call`, with the tag that `If-Match` takes. */
  read<Name extends Operation>(name: Name, request: Request<Name>): Promise<Read<Name>>;
  /** The answer itself, for its headers, or to read a stream. Throws as `call` does. */
  open<Name extends Operation>(name: Name, request: Request<Name>): Promise<Response>;
};

type Given = {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

export function createClient({ baseUrl, token, language, headers: always }: ClientOptions): Client {
  async function open(name: Operation, given: Given): Promise<Response> {
    const [method, path] = operations[name];
    const { body, form, headers = {}, signal } = given;
    const isJson = body !== undefined;
    const secret = token();
    const response = await fetch(urlOf(baseUrl + path, given), {
      method,
      headers: {
        ...(secret !== null && { keyapi: secret }),
        ...(language && { 'accept-language': language }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...always,
        ...headers,
      },
      ...(isJson && { body: JSON.stringify(body) }),
      ...(form && { body: form }),
      ...(signal && { signal }),
    });
    if (response.ok) return response;
    throw new InletError(response.status, await failureIn(response), retryAfterMsOf(response));
  }

  async function read(name: Operation, given: Given): Promise<{ data: never; tag: string | null }> {
    const response = await open(name, given);
    const { data } = (await response.json()) as { data: never };
    return { data, tag: response.headers.get('etag') };
  }

  return {
    open: open as Client['open'],
    read: read as Client['read'],
    call: async (name, request) => (await read(name, request as Given)).data,
  };
}

function urlOf(template: string, { params = {}, query = {} }: Given): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`;
}

/** A proxy may have answered, in any form. */
async function failureIn(response: Response): Promise<Failure> {
  try {
    return (await response.json()) as Failure;
  } catch {
    return {};
  }
}

/** Inlet gives seconds. */
export function retryAfterMsOf({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : null;
}
