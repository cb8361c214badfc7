/** How what was taken is answered: a prebuilt text around an id, or what the webhook says instead. */
import type { Request, Response } from 'express';
import type { Language } from '../../base/errors.ts';
import type { AcceptedRequest } from '../../receiving/accept-request.ts';
import type { ReceiveResult } from '../../receiving/record-event.ts';
import { languageOf } from '../envelope.ts';

type Told = Exclude<ReceiveResult['mode'], 'handshake'>;
const messages: Readonly<Record<Told, Readonly<Record<Language, string>>>> = {
  event: { en: 'Webhook received.', 'pt-BR': 'Webhook recebido.', es: 'Webhook recibido.' },
  held: {
    en: 'Webhook received and held until the integration is resumed.',
    'pt-BR': 'Webhook recebido e retido até a integração ser retomada.',
    es: 'Webhook recibido y retenido hasta que se reanude la integración.',
  },
  sample: { en: 'Sample received.', 'pt-BR': 'Amostra recebida.', es: 'Muestra recibida.' },
};

function dataOf(received: ReceiveResult): string {
  if (!('eventId' in received)) return '{"success":true,"mode":"sample"}';
  if (received.mode === 'held') {
    return `{"success":true,"eventId":"${received.eventId}","mode":"held"}`;
  }
  return `{"success":true,"eventId":"${received.eventId}","duplicate":${received.duplicate}}`;
}

function envelopeOf(request: Request, received: ReceiveResult): string {
  if (received.mode === 'handshake') return '';
  const language = request.headers['accept-language'] === undefined ? 'en' : languageOf(request);
  const message = messages[received.mode][language];
  return `{"status":true,"message":"${message}","data":${dataOf(received)}}`;
}

export function acknowledge(
  request: Request,
  response: Response,
  { result, answer }: AcceptedRequest,
): void {
  // As text, head and body leave in one write.
  const body = answer ? answer.body : envelopeOf(request, result);
  response.writeHead(answer?.status ?? 200, {
    'Content-Type': answer?.contentType ?? 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...answer?.headers,
  });
  response.end(body);
}
