/**
 * The envelope of every answer under /v1, and its headers.
 *
 * Promises: `message` is in the caller's language, for people only. Every answer carries `X-Request-Id`.
 * Must never: take a request id from the request, or send more of an error than its public part.
 */
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { errorText, type AppError, type Quota } from '../base/errors.ts';
import { type Language, renderMessages } from '../base/texts/texts.ts';
import { newRequestId } from '../base/ids.ts';

const languagesByTag: Readonly<Record<string, Language>> = {
  en: 'en',
  'pt-BR': 'pt-BR',
  pt: 'pt-BR',
  es: 'es',
};

export function languageOf(request: Request): Language {
  const accepted = request.acceptsLanguages(Object.keys(languagesByTag));
  return (accepted && languagesByTag[accepted]) || 'en';
}

const requestIdHeader = 'X-Request-Id';

/** Returns the id of the request. The first call creates it and sets the header. */
export function requestIdOf(response: ServerResponse): string {
  const known = response.getHeader(requestIdHeader);
  if (typeof known === 'string') return known;
  const made = newRequestId();
  response.setHeader(requestIdHeader, made);
  return made;
}

export const successBody = (message: string, data: unknown) => ({ status: true, message, data });

export function errorBody(error: AppError, language: Language, requestId: string) {
  const { fields, state, missing, usedBy, id, contactId, chatId } = error.details;
  const data = {
    success: false,
    code: error.code,
    requestId,
    ...(fields && { fields: renderMessages(fields, language) }),
    ...(state !== undefined && { state }),
    ...(missing && { missing }),
    ...(usedBy && { usedBy }),
    ...(id !== undefined && { id }),
    ...(contactId !== undefined && { contactId }),
    ...(chatId !== undefined && { chat_id: chatId }),
  };
  return { status: false, message: errorText(error.code, language), data };
}

/** Sets the quota headers: limit, remaining requests, and seconds until the whole quota is available again. */
export function setQuotaHeaders(
  response: ServerResponse,
  prefix: 'RateLimit' | 'X-RateLimit',
  { limit, remaining, resetMs }: Quota,
): void {
  response.setHeader(`${prefix}-Limit`, limit);
  response.setHeader(`${prefix}-Remaining`, remaining);
  response.setHeader(`${prefix}-Reset`, Math.ceil(resetMs / 1_000));
}

export const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  void response.end(prepareJson(response, status, value));

/** Sets status and headers and returns the body. Answers under /v1 are not cached: they are personal, secret or short-lived. */
export function prepareJson(response: ServerResponse, status: number, value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value));
  requestIdOf(response);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.statusCode = status;
  return body;
}
