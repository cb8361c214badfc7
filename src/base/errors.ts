/**
 * The one error class and the one catalogue of codes.
 *
 * Promises: `publicMessage` is all that ever leaves the process; `message` and `cause` are for the log.
 * Must never: carry a payload, a key or a path in a public message.
 */

export const languages = ['en', 'pt-BR', 'es'] as const;
export type Language = (typeof languages)[number];
export type Localized = Readonly<Record<Language, string>>;

/** What went wrong, seen from the sender. The HTTP room turns a kind into a status. */
export type ErrorKind =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'precondition'
  | 'too_large'
  | 'unsupported'
  | 'unprocessable'
  | 'limited'
  | 'internal'
  | 'unavailable';

type CatalogueEntry = { readonly kind: ErrorKind; readonly message: Localized };

const entry = (
  kind: ErrorKind,
  en: string,
  [pt, es]: readonly [string, string],
): CatalogueEntry => ({
  kind,
  message: { en, 'pt-BR': pt, es },
});

/** Every code that an answer can carry. `docs/errors.md` lists the same codes; a test compares the two. */
export const errorCatalogue = {
  malformed_json: entry('bad_request', 'The body is not readable JSON.', [
    'O corpo não é um JSON legível.',
    'El cuerpo no es un JSON legible.',
  ]),
  invalid_body: entry('bad_request', 'The body has a shape that is not accepted here.', [
    'O corpo tem um formato que não é aceito aqui.',
    'El cuerpo tiene un formato que no se acepta aquí.',
  ]),
  invalid_query: entry('bad_request', 'A query parameter is not acceptable.', [
    'Um parâmetro da consulta não é aceitável.',
    'Un parámetro de la consulta no es aceptable.',
  ]),
  invalid_key: entry('unauthenticated', 'The path key is missing or invalid.', [
    'A chave do caminho está ausente ou é inválida.',
    'La clave de la ruta falta o no es válida.',
  ]),
  invalid_signature: entry('unauthenticated', 'The signature is missing or wrong.', [
    'A assinatura está ausente ou incorreta.',
    'La firma falta o es incorrecta.',
  ]),
  invalid_token: entry('unauthenticated', 'The token is missing or invalid.', [
    'O token está ausente ou é inválido.',
    'El token falta o no es válido.',
  ]),
  forbidden: entry('forbidden', 'The token does not allow this operation.', [
    'O token não permite esta operação.',
    'El token no permite esta operación.',
  ]),
  source_not_allowed: entry('forbidden', 'Requests from this address are not accepted here.', [
    'Requisições deste endereço não são aceitas aqui.',
    'Aquí no se aceptan solicitudes desde esta dirección.',
  ]),
  not_found: entry('not_found', 'There is nothing here.', [
    'Não há nada aqui.',
    'No hay nada aquí.',
  ]),
  method_not_allowed: entry('method_not_allowed', 'The method is not allowed here.', [
    'O método não é permitido aqui.',
    'El método no está permitido aquí.',
  ]),
  conflict: entry('conflict', 'The change conflicts with what is already there.', [
    'A alteração conflita com o que já existe.',
    'El cambio entra en conflicto con lo que ya existe.',
  ]),
  setup_incomplete: entry('conflict', 'The webhook is not ready to be activated.', [
    'O webhook ainda não está pronto para ser ativado.',
    'El webhook aún no está listo para activarse.',
  ]),
  invalid_transition: entry('conflict', 'The current state does not allow this.', [
    'O estado atual não permite isto.',
    'El estado actual no permite esto.',
  ]),
  precondition_failed: entry('precondition', 'It has changed since it was read.', [
    'Mudou desde que foi lido.',
    'Ha cambiado desde que se leyó.',
  ]),
  in_use: entry('conflict', 'It is in use and cannot be deleted.', [
    'Está em uso e não pode ser excluído.',
    'Está en uso y no se puede eliminar.',
  ]),
  body_too_large: entry('too_large', 'The body is too large.', [
    'O corpo é grande demais.',
    'El cuerpo es demasiado grande.',
  ]),
  unsupported_media_type: entry('unsupported', 'The content type or encoding is not supported.', [
    'O tipo ou a codificação do conteúdo não é aceito.',
    'El tipo o la codificación del contenido no se admite.',
  ]),
  invalid_mapping: entry('unprocessable', 'The mapping has problems.', [
    'O mapeamento tem problemas.',
    'El mapeo tiene problemas.',
  ]),
  invalid_field: entry('unprocessable', 'A field is missing or not acceptable.', [
    'Um campo está ausente ou não é aceitável.',
    'Un campo falta o no es aceptable.',
  ]),
  rate_limited: entry('limited', 'That is too much at once. Please try again later.', [
    'É demais de uma vez. Tente novamente mais tarde.',
    'Es demasiado a la vez. Inténtelo de nuevo más tarde.',
  ]),
  internal: entry('internal', 'Something went wrong on our side.', [
    'Algo deu errado do nosso lado.',
    'Algo salió mal de nuestro lado.',
  ]),
  unavailable: entry('unavailable', 'The event cannot be stored now. Please try again.', [
    'O evento não pode ser gravado agora. Tente novamente.',
    'El evento no se puede guardar ahora. Inténtelo de nuevo.',
  ]),
  overloaded: entry('unavailable', 'Too much is in hand now. Please try again.', [
    'Há trabalho demais no momento. Tente novamente.',
    'Hay demasiado trabajo en curso. Inténtelo de nuevo.',
  ]),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** One unacceptable place of a request: a JSON pointer into the body, or the query parameter's name. */
export type FieldProblem = {
  readonly path: string;
  readonly message: string;
  /** A word that stays, where there is one, and what it is about. */
  readonly kind?: string;
  readonly about?: string;
};

export type UsedBy = { readonly type: string; readonly id: string; readonly name: string };

/** More for the machine: becomes part of the answer's `data`. */
export type ErrorDetails = {
  readonly fields?: readonly FieldProblem[];
  readonly state?: string;
  readonly missing?: readonly string[];
  /** By whom it is used: some of them. */
  readonly usedBy?: readonly UsedBy[];
  readonly allow?: string;
  /** Who is in the way. */
  readonly contactId?: string;
};

/** How much of something may happen, how much of that is left, and when all of it is there again. */
export type Quota = {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
};

type ErrorOptions = {
  readonly details?: ErrorDetails;
  readonly retryAfterMs?: number;
  /** What was used up; told in headers. */
  readonly quota?: Quota;
  readonly cause?: unknown;
  /** For the log only. */
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
