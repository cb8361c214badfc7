/**
 * The application's error class and its catalogue of codes.
 *
 * Promises: `publicMessage` is the only text that a client sees; `message` and `cause` are for the log.
 * Must never: put a payload, a key or a path into a public message.
 */
import type { Failure, Result } from './result.ts';
import type { Language, PublicText } from './texts/texts.ts';

export type Localized = Readonly<Record<Language, string>>;

/** `[pt, es]`: the same text in Portuguese and Spanish. */
export const localized = (en: string, [pt, es]: readonly [string, string]): Localized => ({
  en,
  'pt-BR': pt,
  es,
});

/** Category of an error. The module `http` maps it to a status. */
export type ErrorKind =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'precondition'
  | 'too_large'
  | 'headers_too_large'
  | 'timeout'
  | 'expectation'
  | 'unsupported'
  | 'unprocessable'
  | 'limited'
  | 'internal'
  | 'unavailable';

type CatalogueEntry = { readonly kind: ErrorKind; readonly message: Localized };

const entry = (kind: ErrorKind, ...text: Parameters<typeof localized>): CatalogueEntry => ({
  kind,
  message: localized(...text),
});

/** Every error code of a response. `docs/errors.md` is generated from these. */
export const errorCatalogue = {
  malformed_request: entry('bad_request', 'The request is not valid HTTP.', [
    'A requisição não é HTTP válido.',
    'La solicitud no es HTTP válido.',
  ]),
  expectation_failed: entry('expectation', 'The expectation of the request is not supported.', [
    'A expectativa da requisição não é aceita.',
    'La expectativa de la solicitud no se admite.',
  ]),
  headers_too_large: entry('headers_too_large', 'The headers are too large.', [
    'Os cabeçalhos são grandes demais.',
    'Los encabezados son demasiado grandes.',
  ]),
  malformed_json: entry('bad_request', 'The body is not valid JSON.', [
    'O corpo não é um JSON válido.',
    'El cuerpo no es un JSON válido.',
  ]),
  invalid_body: entry('bad_request', 'The body does not have the expected shape.', [
    'O corpo não tem o formato esperado.',
    'El cuerpo no tiene el formato esperado.',
  ]),
  invalid_query: entry('bad_request', 'A query parameter is invalid.', [
    'Um parâmetro da consulta é inválido.',
    'Un parámetro de la consulta no es válido.',
  ]),
  invalid_key: entry('unauthenticated', 'The path key is missing or invalid.', [
    'A chave do caminho está ausente ou é inválida.',
    'La clave de la ruta falta o no es válida.',
  ]),
  invalid_signature: entry('unauthenticated', 'The signature is missing or invalid.', [
    'A assinatura está ausente ou é inválida.',
    'La firma falta o no es válida.',
  ]),
  invalid_token: entry('unauthenticated', 'The token is missing or invalid.', [
    'O token está ausente ou é inválido.',
    'El token falta o no es válido.',
  ]),
  forbidden: entry('forbidden', 'The token does not allow this operation.', [
    'O token não permite esta operação.',
    'El token no permite esta operación.',
  ]),
  source_not_allowed: entry('forbidden', 'Requests from this address are not allowed.', [
    'Requisições deste endereço não são permitidas.',
    'No se permiten solicitudes desde esta dirección.',
  ]),
  not_found: entry('not_found', 'The resource does not exist.', [
    'O recurso não existe.',
    'El recurso no existe.',
  ]),
  method_not_allowed: entry('method_not_allowed', 'The method is not allowed for this path.', [
    'O método não é permitido neste caminho.',
    'El método no está permitido en esta ruta.',
  ]),
  conflict: entry('conflict', 'The change conflicts with the current state.', [
    'A alteração conflita com o estado atual.',
    'El cambio entra en conflicto con el estado actual.',
  ]),
  setup_incomplete: entry('conflict', 'The webhook is not ready to be activated.', [
    'O webhook ainda não está pronto para ser ativado.',
    'El webhook aún no está listo para activarse.',
  ]),
  invalid_transition: entry('conflict', 'The current state does not allow this action.', [
    'O estado atual não permite esta ação.',
    'El estado actual no permite esta acción.',
  ]),
  precondition_failed: entry('precondition', 'The resource has changed since it was read.', [
    'O recurso mudou desde que foi lido.',
    'El recurso ha cambiado desde que se leyó.',
  ]),
  in_use: entry('conflict', 'The resource is in use and cannot be deleted.', [
    'O recurso está em uso e não pode ser excluído.',
    'El recurso está en uso y no se puede eliminar.',
  ]),
  request_timeout: entry('timeout', 'The request arrived too slowly.', [
    'A requisição chegou devagar demais.',
    'La solicitud llegó demasiado despacio.',
  ]),
  body_too_large: entry('too_large', 'The body is too large.', [
    'O corpo é grande demais.',
    'El cuerpo es demasiado grande.',
  ]),
  unsupported_media_type: entry('unsupported', 'The content type or encoding is not supported.', [
    'O tipo ou a codificação do conteúdo não é aceito.',
    'El tipo o la codificación del contenido no se admite.',
  ]),
  invalid_mapping: entry('unprocessable', 'The mapping is invalid.', [
    'O mapeamento é inválido.',
    'El mapeo no es válido.',
  ]),
  invalid_field: entry('unprocessable', 'A field is missing or invalid.', [
    'Um campo está ausente ou é inválido.',
    'Falta un campo o no es válido.',
  ]),
  unbounded_query: entry(
    'unprocessable',
    'This filter or order needs a webhook or the start of a time range.',
    [
      'Este filtro ou esta ordem exige um webhook ou o início de um período.',
      'Este filtro o este orden exige un webhook o el inicio de un período.',
    ],
  ),
  rate_limited: entry('limited', 'Too many requests. Try again later.', [
    'Requisições demais. Tente novamente mais tarde.',
    'Demasiadas solicitudes. Inténtelo de nuevo más tarde.',
  ]),
  internal: entry('internal', 'An internal error occurred.', [
    'Ocorreu um erro interno.',
    'Se produjo un error interno.',
  ]),
  unavailable: entry('unavailable', 'The service is temporarily unavailable. Try again later.', [
    'O serviço está temporariamente indisponível. Tente novamente mais tarde.',
    'El servicio no está disponible temporalmente. Inténtelo de nuevo más tarde.',
  ]),
  overloaded: entry('unavailable', 'The server is overloaded. Try again later.', [
    'O servidor está sobrecarregado. Tente novamente mais tarde.',
    'El servidor está sobrecargado. Inténtelo de nuevo más tarde.',
  ]),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
export const errorCodes = Object.keys(errorCatalogue) as readonly ErrorCode[];

/** One invalid part of a request. `path` is a JSON pointer into the body, or the name of a query parameter. */
export type FieldProblem = {
  readonly path: string;
  readonly message: PublicText;
  /**
   * Stable code of the problem, and the name or limit that it refers to. Only set for problems of a mapping
   * document.
   */
  readonly kind?: string;
  readonly about?: string;
};

type UsedBy = { readonly type: string; readonly id: string; readonly name: string };

/** Machine-readable details. They become part of `data` in the response. */
type ErrorDetails = {
  readonly fields?: readonly FieldProblem[];
  readonly state?: string;
  readonly missing?: readonly string[];
  /** Some of the resources that use this one. */
  readonly usedBy?: readonly UsedBy[];
  readonly allow?: string;
  /** The contact that blocks the change. */
  readonly contactId?: string;
  /** What the first request made, whose answer is not stored. */
  readonly id?: string;
  /** The chat that blocks the change. */
  readonly chatId?: string;
};

/** A rate limit: its size, what remains, and the time in milliseconds until it is fully available again. */
export type Quota = {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
};

type ErrorOptions = {
  readonly details?: ErrorDetails;
  readonly retryAfterMs?: number;
  /** The rate limit that was exceeded. Sent in the `RateLimit-*` headers. */
  readonly quota?: Quota;
  readonly cause?: unknown;
  /** Message for the log; clients do not see it. */
  readonly internal?: string;
};

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly publicMessage: Localized;
  readonly details: ErrorDetails;
  readonly retryAfterMs: number | undefined;
  readonly quota: Quota | undefined;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.internal ?? errorCatalogue[code].message.en, { cause: options.cause });
    this.code = code;
    this.kind = errorCatalogue[code].kind;
    this.publicMessage = errorCatalogue[code].message;
    this.details = options.details ?? {};
    this.retryAfterMs = options.retryAfterMs;
    this.quota = options.quota;
  }
}

/** Returns the record. Throws `not_found` if there is none. */
export function orNotFound<Found>(record: Found | null | undefined): Found {
  if (record === null || record === undefined) throw new AppError('not_found');
  return record;
}

type Refused = Failure & { readonly contactId?: string; readonly chatId?: string };

/** Returns the error of a refused change: `not_found`, `in_use`, or otherwise `code` with the reason as the state. */
export function refusal(
  { reason, contactId, chatId }: Refused,
  code: 'invalid_transition' | 'conflict' = 'invalid_transition',
): AppError {
  if (reason === 'not_found' || reason === 'in_use') return new AppError(reason);
  return new AppError(code, { details: { state: reason, contactId, chatId } });
}

/** Returns the value of a change. Throws as `refusal`. */
export function valueOrThrow<Value>(
  result: Result<Value, Refused>,
  code?: Parameters<typeof refusal>[1],
): Value {
  if (result.ok) return result.value;
  throw refusal(result, code);
}

/** Returns an `invalid_field` error for one field of the body. `path` is a JSON pointer. */
export const invalidField = (path: string, message: PublicText): AppError =>
  new AppError('invalid_field', { details: { fields: [{ path, message }] } });

/** Returns an `invalid_query` error for one query parameter. */
export const invalidQuery = (path: string, message: PublicText, cause?: unknown): AppError =>
  new AppError('invalid_query', { details: { fields: [{ path, message }] }, cause });
