// A server on loopback that reads requests with JSON, for stand-ins of services.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Json = Readonly<Record<string, unknown>>;

/** Answers 200 after the time, unless the connection has ended. */
export function answerJson(response: ServerResponse, content: Json, delayMs = 0): void {
  const answer = () => {
    if (response.socket?.destroyed !== false) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content));
  };
  if (delayMs === 0) answer();
  else setTimeout(answer, delayMs);
}

/** `answer` gets the body, or an empty object without one. `close` ends open connections too. */
export async function startJsonServer(
  answer: (request: IncomingMessage, response: ServerResponse, body: Json) => void,
) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = String(Buffer.concat(chunks));
      answer(request, response, text === '' ? {} : (JSON.parse(text) as Json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
