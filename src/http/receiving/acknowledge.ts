/** Answers an accepted request, with prebuilt text around an id or with the answer that the webhook sets. */
import type { ServerResponse } from 'node:http';
import { type Language, renderText } from '../../base/texts/texts.ts';
import type { AcceptedRequest } from '../../receiving/accept-request.ts';
import type { ReceiveResult } from '../../receiving/recording/record-event.ts';

/** Names and values, in the order in which they are sent. */
export type AnswerHeaders = readonly (readonly [string, string])[];

type AnswerTerms = { readonly language: Language; readonly headers: AnswerHeaders };

export function acknowledge(
  response: ServerResponse,
  { result, answer }: AcceptedRequest,
  { language, headers }: AnswerTerms,
): void {
  // As one text, so that head and body leave in one write.
  const body = answer ? answer.body : envelopeOf(result, language);
  const sent: AnswerHeaders = [
    ...headers,
    ...Object.entries(answer?.headers ?? {}),
    ['Content-Type', answer?.contentType ?? 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
  ];
  if (answer) {
    // A header that the webhook's settings name may be one of the others.
    for (const [name, value] of sent) response.setHeader(name, value);
    response.writeHead(answer.status);
  } else response.writeHead(200, sent.flat());
  response.end(body);
}

function envelopeOf(result: ReceiveResult, language: Language): string {
  if (result.mode === 'handshake') return '';
  const message = renderText(`received.${result.mode}`, language);
  return `{"status":true,"message":"${message}","data":${dataOf(result)}}`;
}

function dataOf(result: ReceiveResult): string {
  if (!('eventId' in result)) return '{"success":true,"mode":"sample"}';
  if (result.mode === 'held') {
    return `{"success":true,"eventId":"${result.eventId}","mode":"held"}`;
  }
  return `{"success":true,"eventId":"${result.eventId}","duplicate":${result.duplicate}}`;
}
