// A destination of outbound deliveries: an HTTP server on loopback that records requests and gives the configured answers.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedPost = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly id: string;
    readonly test: boolean;
    readonly eventId: string | null;
    readonly contact: { readonly name: string | null; readonly phone: string | null } | null;
    readonly content: { readonly text: string };
  };
};

export type Responder = (response: ServerResponse, posted: ReceivedPost) => void;

export type Destination = Awaited<ReturnType<typeof startDestination>>;

/** The setting that allows a process to post there. */
export const loopbackRange = ['127.0.0.0/8'];

export const respondWith =
  (status: number, headers: Record<string, string> = {}): Responder =>
  (response) =>
    void response.writeHead(status, headers).end('an answer that nobody keeps');

/** Never answers. */
export const neverRespond: Responder = () => {};

export async function startDestination() {
  const posts: ReceivedPost[] = [];
  let answering: Responder = respondWith(200);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const text = String(Buffer.concat(chunks));
      const posted = { path, headers, body: JSON.parse(text === '' ? '{}' : text) };
      posts.push(posted);
      answering(response, posted);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/messages`,
    posts,
    answerWith: (how: Responder) => void (answering = how),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
