/** Listening, with the time limits that keep slow clients from holding connections open. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { StartupError } from '../../base/process/startup.ts';

export type Listening = {
  readonly url: string;
  /** Stops accepting, waits for requests in hand. */
  close(): Promise<void>;
};

export type Address = { readonly host: string; readonly port: number };

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
  const why = error.code === 'EADDRINUSE' ? 'another program uses it' : (error.code ?? 'refused');
  return new StartupError(`Cannot listen on ${host} port ${port}: ${why}.`, { cause: error });
}

/** How long a request in hand may still take: more than the receiver's own bound on an answer. */
const closeWithinMs = 9_500;

type Watched = {
  readonly silent: ReadonlySet<Socket>;
  readonly open: ReadonlySet<ServerResponse>;
};

/**
 * Answers that are still to come say that their connection ends with them. A kept-alive connection is idle again only
 * after its answer, so idle ones are closed until none is left; those that never asked anything are not idle to Node, and
 * are closed at once.
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
    server.prependListener('request', (_request, response) => saysClose(response));
    for (const response of open) saysClose(response);
    for (const socket of silent) socket.destroy();
    server.closeIdleConnections();
  });
}

function saysClose(response: ServerResponse): void {
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
