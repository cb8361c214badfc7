// Posts a body as a sender does, and says how it was answered.
import { request, type Agent } from 'node:http';

type Posted = {
  /** The status, or the code of the error where there was no whole answer. */
  readonly outcome: string;
  /** The body of the answer. */
  readonly text: string;
};

const answerWithinMs = 10_000;

type Body = {
  readonly url: string;
  readonly body: string | Buffer;
  readonly type?: string | undefined;
};

/** Never rejects. */
export function post(
  agent: Agent,
  { url, body, type = 'application/json' }: Body,
): Promise<Posted> {
  return new Promise((resolve) => {
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    const signal = AbortSignal.timeout(answerWithinMs);
    const sent = request(url, { method: 'POST', agent, headers, signal }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => (text += chunk));
      incoming.on('error', () => resolve({ outcome: 'broken answer', text: '' }));
      incoming.on('end', () => resolve({ outcome: String(incoming.statusCode), text }));
    });
    sent.on('error', ({ code, name }: NodeJS.ErrnoException) =>
      resolve({ outcome: code ?? name, text: '' }),
    );
    sent.end(body);
  });
}
