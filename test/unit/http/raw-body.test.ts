import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { readRawBody } from '../../../src/http/requests/raw-body.ts';

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
      return readRawBody(request, 1_000);
    });
    await expect(seen).rejects.toMatchObject({ code: 'malformed_json' });
  },
  5_000,
);

test('reading ends when the sender disconnects in the middle of a body', async () => {
  const seen = abandoned('01234', (request) => readRawBody(request, 1_000));
  await expect(seen).rejects.toMatchObject({ code: 'malformed_json' });
});
