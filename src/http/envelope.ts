/**
 * The envelope of every answer under /v1, and the headers that come with it.
 *
 * Promises: `message` speaks the caller's language and is for people only; every answer carries `X-Request-Id`.
 * Must never: take a request id from outside, or send anything of an error but its public part.
 */
import type { Request, Response } from 'express';
import type { AppError, Language, Localized, Quota } from '../base/errors.ts';
import { newId } from '../base/ids.ts';

const spoken: Readonly<Record<string, Language>> = {
  en: 'en',
  'pt-BR': 'pt-BR',
  pt: 'pt-BR',
  es: 'es',
};

/** English where the caller names none of ours. */
export function languageOf(request: Request): Language {
  const accepted = request.acceptsLanguages(Object.keys(spoken));
  return (accepted && spoken[accepted]) || 'en';
}

const requestIdHeader = 'X-Request-Id';

/** Made at the first asking and sent with the answer. */
export function requestIdOf(response: Response): string {
  const known = response.getHeader(requestIdHeader);
  if (typeof known === 'string') return known;
  const made = newId();
  response.setHeader(requestIdHeader, made);
  return made;
}

export const successMessages = {
  read: { en: 'Here it is.', 'pt-BR': 'Aqui está.', es: 'Aquí está.' },
  created: { en: 'Created.', 'pt-BR': 'Criado.', es: 'Creado.' },
  done: { en: 'Done.', 'pt-BR': 'Feito.', es: 'Hecho.' },
} as const satisfies Record<string, Localized>;

export type SuccessMessage = keyof typeof successMessages;

export const successBody = (message: string, data: unknown) => ({ status: true, message, data });

export function errorBody(error: AppError, language: Language, requestId: string) {
  const { fields, state, missing, usedBy, contactId } = error.details;
  const data = {
    success: false,
    code: error.code,
    requestId,
    ...(fields && { fields }),
    ...(state !== undefined && { state }),
    ...(missing && { missing }),
    ...(usedBy && { usedBy }),
    ...(contactId !== undefined && { contactId }),
  };
  return { status: false, message: error.publicMessage[language], data };
}

/** In three headers, the last of which counts the seconds until all of it is there again. */
export function setQuotaHeaders(
  response: Response,
  prefix: 'RateLimit' | 'X-RateLimit',
  { limit, remaining, resetMs }: Quota,
): void {
  response.setHeader(`${prefix}-Limit`, limit);
  response.setHeader(`${prefix}-Remaining`, remaining);
  response.setHeader(`${prefix}-Reset`, Math.ceil(resetMs / 1_000));
}

/** Ends the answer. */
export const sendJson = (response: Response, status: number, value: unknown): void =>
  void response.end(prepareJson(response, status, value));

/** Sets status and headers, and gives the body. Nothing under /v1 may be cached: it is personal, secret or about to change. */
export function prepareJson(response: Response, status: number, value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value));
  requestIdOf(response);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.statusCode = status;
  return body;
}
