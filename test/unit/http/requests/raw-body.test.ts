import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { readRawBody } from '../../../../src/http/requests/raw-body.ts';

/** Resolves to what `see` returns for a request whose client disconnects after sending a part of a body of ten bytes. */
async function abandoned<Seen>(sent: string, see: (request: IncomingMessage) => Promise<Seen>) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  const seen = new Promise<Seen>((resolve, reject) =>
    server.once('request', (request) => {
      request.on('error', () => undefined);
      see(request).then(resolve, reject);
      client.resetAndDestroy();
    }),
  );
  client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n${sent}`);
  return seen.finally(() => {
    server.closeAllConnections();
    server.close();
  });
}

const bodies = [
  ['half a body', '01234'],
  ['a whole body', '0123456789'],
] as const;

test.each(bodies)(
  'a client that sends %s and disconnects before it is read is not waited for',
  async (_what, sent) => {
    const seen = abandoned(sent, async (request) => {
      await new Promise((resolve) => request.once('close', resolve));
      return readRawBody(request, { maxBytes: 1_000 });
    });
    await expect(seen).rejects.toMatchObject({ code: 'malformed_json' });
  },
  5_000,
);

test('reading ends when the sender disconnects in the middle of a body', async () => {
  const seen = abandoned('01234', (request) => readRawBody(request, { maxBytes: 1_000 }));
  await expect(seen).rejects.toMatchObject({ code: 'malformed_json' });
});

test('an upload below the pace is rejected, and a fast one is not', async () => {
  const pace = { graceMs: 20, minBytesPerSecond: 1_000_000 };
  const server = createServer((request, response) => {
    readRawBody(request, { maxBytes: 1_000, pace }).then(
      (body) => response.end(`read ${body.length}`),
      ({ code }: { code: string }) => response.writeHead(408).end(code),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const answerTo = (sent: string) =>
    new Promise<string>((resolve) => {
      const client = connect(port, '127.0.0.1');
      client.on('error', () => undefined).once('data', (data) => resolve(String(data)));
      client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n${sent}`);
    });
  expect(await answerTo('01234')).toContain('request_timeout');
  expect(await answerTo('0123456789')).toContain('read 10');
  server.closeAllConnections();
  server.close();
});
