/** Starts an HTTP server, with the timeouts that keep slow clients from holding connections open. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { StartupError } from '../../base/process/startup.ts';

export type Listening = {
  readonly url: string;
  /** Stops accepting connections and waits for requests in flight. */
  close(): Promise<void>;
};

type Address = { readonly host: string; readonly port: number };

const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
};

/** Opens the port. Rejects with `StartupError` if the address is not available. */
export async function listen(
  handler: RequestListener,
  { host, port }: Address,
  over: Partial<typeof limits> = {},
): Promise<Listening> {
  const server = createServer({ ...limits, ...over }, handler);
  const silent = watchSilent(server);
  const open = watchOpen(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(toStartupError(error, { host, port })),
    );
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shown}:${bound}`, close: () => close(server, { silent, open }) };
}

function toStartupError(error: NodeJS.ErrnoException, { host, port }: Address): StartupError {
  const why =
    error.code === 'EADDRINUSE' ? 'another program uses it' : (error.code ?? 'unknown error');
  return new StartupError(`Cannot listen on ${host} port ${port}: ${why}.`, { cause: error });
}

/** How long a request in flight may still take: more than the deadline of a received request. */
const closeWithinMs = 9_500;

type Watched = {
  readonly silent: ReadonlySet<Socket>;
  readonly open: ReadonlySet<ServerResponse>;
};

/**
 * Answers that are still to come carry `Connection: close`. A kept-alive connection is idle only after its answer, so idle
 * connections are closed repeatedly until none is left. A connection without any request does not count as idle in Node
 * and is closed at once.
 */
function close(server: Server, { silent, open }: Watched): Promise<void> {
  return new Promise((resolve) => {
    const closing = setInterval(() => server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => server.closeAllConnections(), closeWithinMs);
    server.close(() => {
      clearInterval(closing);
      clearTimeout(deadline);
      resolve();
    });
    server.prependListener('request', (_request, response) => setConnectionClose(response));
    for (const response of open) setConnectionClose(response);
    for (const socket of silent) socket.destroy();
    server.closeIdleConnections();
  });
}

function setConnectionClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

function watchOpen(server: Server): ReadonlySet<ServerResponse> {
  const open = new Set<ServerResponse>();
  server.prependListener('request', (_request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
  });
  return open;
}

function watchSilent(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }) => silent.delete(socket));
  return silent;
}
