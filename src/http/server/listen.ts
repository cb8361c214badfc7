/**
 * Starts an HTTP server, with limits that keep clients from holding connections and memory.
 *
 * Promises: what a client can hold is bounded for a connection, for its network and in all, and is freed when its socket
 * closes. Closing the port waits for requests in flight.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from '../../base/observability/logger.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import { StartupError } from '../../base/process/startup.ts';
import { createConnections, type ConnectionLimits, type Connections } from './connections.ts';
import { limitHeldMemory, type HeldMemoryLimits } from './held-memory.ts';
import { answerParserError, answerViolation, violationOf } from './malformed-requests.ts';

export type Listening = {
  readonly url: string;
  /** Further responses carry `Connection: close`, so that clients leave before the port closes. */
  announceClose(): void;
  /** Stops accepting connections and waits for requests in flight. */
  close(): Promise<void>;
};

type Terms = {
  readonly host: string;
  readonly port: number;
  /** Proxies (addresses or CIDR ranges), which no limit of a client network concerns. */
  readonly trustProxy?: readonly string[];
  readonly logger?: Logger;
  readonly metrics?: Pick<Metrics, 'connections' | 'connectionsClosed' | 'heldBytes'>;
};

/** Options of Node. Durations are in milliseconds, sizes in bytes. */
const nodeOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  // `violationOf` rejects a missing `Host` with the envelope.
  requireHostHeader: false,
};

/** Limits that only abuse reaches, documented in docs/security.md. A network is an IPv4 address or an IPv6 /64. */
const limits: ConnectionLimits & HeldMemoryLimits = {
  maxConnections: 10_000,
  maxConnectionsOfNetwork: 2_500,
  maxWaiting: 16,
  firstRequestGrace: 2_000,
  maxHeldBytes: 134_217_728,
  maxHeldBytesOfNetwork: 33_554_432,
  unreadTimeout: 30_000,
  heldCheckInterval: 250,
};

type Options = typeof nodeOptions & typeof limits;

/** Opens the port. Rejects with `StartupError` if the address is not available. */
export async function listen(
  handler: RequestListener,
  terms: Terms,
  over: Partial<Options> = {},
): Promise<Listening> {
  const options = { ...nodeOptions, ...limits, ...over };
  const server = createServer(options);
  const connections = watch(server, handler, { ...terms, ...options });
  const stop = limitHeldMemory(connections, options, (bytes) => {
    terms.metrics?.connections.set(connections.count());
    terms.metrics?.heldBytes.set(bytes);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toStartupError(error, terms)));
    server.listen(terms.port, terms.host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  const shown = terms.host.includes(':') ? `[${terms.host}]` : terms.host;
  return {
    url: `http://${shown}:${bound}`,
    announceClose: () => connections.announceClose(),
    close: () => close(server, connections).finally(stop),
  };
}

function watch(server: Server, handler: RequestListener, terms: Terms & Options): Connections {
  const { logger, metrics, trustProxy = [] } = terms;
  const connections = createConnections({
    ...terms,
    trustProxy,
    handler: (request, response) => {
      const violation = violationOf(request);
      if (violation === null) handler(request, response);
      else answerViolation(response, violation, logger);
    },
    onClose: (reason) => metrics?.connectionsClosed.inc({ reason }),
  });
  server.on('connection', connections.accept);
  server.on('request', connections.serve);
  // Without this listener Node answers with a bare 417.
  server.on('checkExpectation', connections.serve);
  server.on('timeout', (socket) => {
    const connection = connections.get(socket);
    if (connection?.current) connections.close(connection, 'unread');
    else socket.destroy();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answerParserError(error, socket as Socket, { connections, logger }),
  );
  return connections;
}

function toStartupError(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<Terms, 'host' | 'port'>,
): StartupError {
  const why =
    error.code === 'EADDRINUSE' ? 'another program uses it' : (error.code ?? 'unknown error');
  return new StartupError(`Cannot listen on ${host} port ${port}: ${why}.`, { cause: error });
}

/** How long a request in flight may still take: more than the deadline of a received request. */
const closeWithinMs = 9_500;

/**
 * A kept-alive connection is idle only after its answer, so idle connections are closed repeatedly until none is left. A
 * connection without any request does not count as idle in Node.
 */
function close(server: Server, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    const closeUnused = () => {
      server.closeIdleConnections();
      connections.closeSilent();
    };
    const closing = setInterval(closeUnused, 50);
    const deadline = setTimeout(() => server.closeAllConnections(), closeWithinMs);
    server.close(() => {
      clearInterval(closing);
      clearTimeout(deadline);
      resolve();
    });
    connections.announceClose();
    closeUnused();
  });
}
