// A client that writes bytes to a socket, for requests that `fetch` does not send.
import { once } from 'node:events';
import { connect } from 'node:net';
import { sleep } from '../../../src/base/clock.ts';

export type RawClient = Awaited<ReturnType<typeof openRawClient>>;

export const getRequest = (path: string, headers: readonly string[] = []): string =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');

/** Connects. `isReading: false`: reads nothing until `read` is called. */
export async function openRawClient(url: string, { isReading = true } = {}) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  const state = { isClosed: false };
  socket.on('error', () => undefined);
  socket.once('close', () => (state.isClosed = true));
  const read = () => socket.on('data', (data: Buffer) => (text += data.toString('latin1')));
  await once(socket, 'connect');
  if (isReading) read();
  return {
    state,
    send: (data: string) => void socket.write(data),
    read,
    leave: () => socket.destroy(),
    /** Resolves to all that was received, once the server has closed the connection. */
    async received(): Promise<string> {
      await waitUntil('the connection is closed', () => state.isClosed);
      return text;
    },
    /** Resolves to what was received so far, once it has the part. */
    async until(part: string): Promise<string> {
      await waitUntil(`"${part}" arrives`, () => text.includes(part));
      return text;
    },
  };
}

const withinMs = 60_000;

/** Waits in the event loop. Rejects when the condition has not become true within a minute. */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It never happens that ${what}.`);
    await sleep(5);
  }
}
