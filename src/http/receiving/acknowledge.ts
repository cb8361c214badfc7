/** Answers an accepted request, with prebuilt text around an id or with the answer that the webhook sets. */
import type { ServerResponse } from 'node:http';
import type { Language } from '../../base/errors.ts';
import type { AcceptedRequest } from '../../receiving/accept-request.ts';
import type { ReceiveResult } from '../../receiving/recording/record-event.ts';

type EnvelopeMode = Exclude<ReceiveResult['mode'], 'handshake'>;
const messages: Readonly<Record<EnvelopeMode, Readonly<Record<Language, string>>>> = {
  event: { en: 'Webhook received.', 'pt-BR': 'Webhook recebido.', es: 'Webhook recibido.' },
  held: {
    en: 'Webhook received and held until the integration is resumed.',
    'pt-BR': 'Webhook recebido e retido até a integração ser retomada.',
    es: 'Webhook recibido y retenido hasta que se reanude la integración.',
  },
  sample: { en: 'Sample received.', 'pt-BR': 'Amostra recebida.', es: 'Muestra recibida.' },
};

export function acknowledge(
  response: ServerResponse,
  { result, answer }: AcceptedRequest,
  language: () => Language,
): void {
  // As one text, so that head and body leave in one write.
  const body = answer ? answer.body : envelopeOf(result, language);
  response.writeHead(answer?.status ?? 200, {
    ...answer?.headers,
    'Content-Type': answer?.contentType ?? 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}

function envelopeOf(result: ReceiveResult, language: () => Language): string {
  if (result.mode === 'handshake') return '';
  const message = messages[result.mode][language()];
  return `{"status":true,"message":"${message}","data":${dataOf(result)}}`;
}

function dataOf(result: ReceiveResult): string {
  if (!('eventId' in result)) return '{"success":true,"mode":"sample"}';
  if (result.mode === 'held') {
    return `{"success":true,"eventId":"${result.eventId}","mode":"held"}`;
  }
  return `{"success":true,"eventId":"${result.eventId}","duplicate":${result.duplicate}}`;
}
