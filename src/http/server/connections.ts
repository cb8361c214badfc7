/**
 * The connections of a port, and the requests that wait on them.
 *
 * Promises: the requests of a connection are handled one after the other, so a handler only gets a response that can be
 * sent. Every such response emits `close`, also when the client disconnects; Node emits none on a response that waits
 * behind another. At a limit the connection that is needed least makes room for a new one.
 * Must never: hold anything of a connection after its socket is closed.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  clientNetworkOf,
  isInRange,
  parseAddress,
  parseRange,
} from '../../domain/access/ip-address.ts';

/**
 * `silent`: no request has arrived. `busy`: a request is in progress. `unread`: its answer is complete, and the client has
 * not read all of it. `idle`: the connection waits for a further request.
 */
type State = 'silent' | 'busy' | 'unread' | 'idle';

/** Connections that share a limit. Each set has the order in which they came into the state. */
type Group = Readonly<Record<State, Set<Connection>>>;

/** The connections of one client network. */
type Network = { readonly name: string; readonly group: Group };

export type Connection = {
  readonly socket: Socket;
  /** Null for a trusted proxy, which has many clients. */
  readonly network: Network | null;
  /** The response in progress. */
  current: ServerResponse | null;
  /** Responses to pipelined requests whose handling has not begun. */
  readonly waiting: ServerResponse[];
  /** When the connection was accepted, in monotonic milliseconds. */
  readonly openedMs: number;
  state: State;
  /** Whether no further request of the connection is handled. */
  isEnding: boolean;
  /** The held bytes of each check since they were last zero, added up: how much is held, and for how long. */
  heldScore: number;
  /** Whether the socket has the timeout of unread answers. */
  isTimed: boolean;
};

export type ConnectionLimits = {
  readonly maxConnections: number;
  readonly maxConnectionsOfNetwork: number;
  /** Pipelined requests of one connection that wait behind the one in progress. */
  readonly maxWaiting: number;
  /** How long a new connection may take to send a request, in milliseconds, before it makes room and a close ends it. */
  readonly firstRequestGrace: number;
};

/** Why a connection was closed, or not accepted. */
type CloseReason = 'pipelined' | 'unread' | 'evicted' | 'rejected';

export type Connections = ReturnType<typeof createConnections>;

type RegistryTerms = ConnectionLimits & {
  /** Addresses or CIDR ranges. */
  readonly trustProxy: readonly string[];
  readonly onClose: (reason: CloseReason) => void;
  /** Returns monotonic milliseconds. */
  readonly now?: () => number;
};

type Terms = RegistryTerms & { readonly handler: RequestListener };

export function createConnections(terms: Terms) {
  const { handler, maxWaiting } = terms;
  const registry = createRegistry(terms);
  let isDraining = false;

  function begin(connection: Connection, response: ServerResponse): void {
    connection.current = response;
    registry.setState(connection, 'busy');
    response.once('prefinish', noteAnswer);
    response.once('close', beginNext);
    if (isDraining) setConnectionClose(response);
    handler(response.req, response);
  }

  function noteAnswer(this: ServerResponse): void {
    const connection = registry.get(this.req.socket);
    if (connection?.current === this) registry.setState(connection, 'unread');
  }

  function beginNext(this: ServerResponse): void {
    const connection = registry.get(this.req.socket);
    if (!connection) return;
    connection.current = null;
    registry.setState(connection, 'idle');
    if (connection.isEnding) connection.socket.destroySoon();
    if (!connection.socket.writable) return;
    const next = connection.waiting.shift();
    if (next) begin(connection, next);
  }

  return {
    ...registry,

    /** Handles the request, or lets it wait. */
    serve(this: void, request: IncomingMessage, response: ServerResponse): void {
      const connection = registry.get(request.socket);
      // Node parses the rest of a chunk after its socket is destroyed.
      if (!connection || connection.isEnding) return;
      if (!connection.current) begin(connection, response);
      else if (connection.waiting.length < maxWaiting) connection.waiting.push(response);
      else registry.close(connection, 'pipelined');
    },

    /** Handles no further request of the connection, and closes it after the response in progress. */
    endAfterCurrent(connection: Connection): void {
      connection.isEnding = true;
      connection.waiting.length = 0;
      if (connection.current) setConnectionClose(connection.current);
    },

    /** Responses to come carry `Connection: close`. New connections are accepted. */
    announceClose(): void {
      isDraining = true;
      for (const { current } of registry.all()) if (current) setConnectionClose(current);
    },

    /** Closes the connections without a request, except new ones: their first request may be on its way. */
    closeSilent(): void {
      for (const { socket } of registry.silentBeyondGrace()) socket.destroy();
    },
  };
}

/** Keeps the open connections within their limits. */
function createRegistry(terms: RegistryTerms) {
  const { maxConnections, maxConnectionsOfNetwork, firstRequestGrace, onClose } = terms;
  const { now = () => performance.now() } = terms;
  const open = new Map<Socket, Connection>();
  const all = newGroup();
  const networks = createNetworks(terms.trustProxy);

  /** Has no effect on a connection that is not open: a closed socket emits `close` later. */
  function remove(connection: Connection): void {
    const { socket, network, state } = connection;
    if (!open.delete(socket)) return;
    all[state].delete(connection);
    network?.group[state].delete(connection);
    if (network) networks.removeIfEmpty(network);
    connection.waiting.length = 0;
  }

  function close(connection: Connection, reason: CloseReason): void {
    remove(connection);
    // Without a reset the kernel keeps what a client has not read, up to some megabytes, for minutes.
    if (connection.current) connection.socket.resetAndDestroy();
    else connection.socket.destroy();
    onClose(reason);
  }

  function makeRoom(group: Group): boolean {
    const least = leastNeeded(group, now() - firstRequestGrace);
    if (least) close(least, 'evicted');
    return least !== undefined;
  }

  function hasRoomFor(network: Network | null): boolean {
    if (network && sizeOf(network.group) >= maxConnectionsOfNetwork && !makeRoom(network.group)) {
      return false;
    }
    return open.size < maxConnections || makeRoom(all);
  }

  return {
    get: (socket: Socket) => open.get(socket),
    all: () => open.values(),
    count: () => open.size,
    silentBeyondGrace: (): readonly Connection[] =>
      [...all.silent].filter(({ openedMs }) => openedMs <= now() - firstRequestGrace),
    close,

    /** The connection must be open. */
    setState(connection: Connection, state: State): void {
      move(all, connection, state);
      if (connection.network) move(connection.network.group, connection, state);
      connection.state = state;
    },

    /** Registers the connection, or closes it. */
    accept(this: void, socket: Socket): void {
      const network = networks.find(socket);
      if (!hasRoomFor(network)) {
        socket.destroy();
        onClose('rejected');
        return;
      }
      const connection = newConnection(socket, network, now());
      open.set(socket, connection);
      all.silent.add(connection);
      network?.group.silent.add(connection);
      if (network) networks.keep(network);
      socket.once('close', () => remove(connection));
    },
  };
}

const newConnection = (socket: Socket, network: Network | null, openedMs: number): Connection => ({
  socket,
  network,
  current: null,
  waiting: [],
  openedMs,
  state: 'silent',
  isEnding: false,
  heldScore: 0,
  isTimed: false,
});

function createNetworks(trustProxy: readonly string[]) {
  const trusted = trustProxy.map(parseRange).filter((range) => range !== null);
  const networks = new Map<string, Network>();
  return {
    /** Returns the network of the client, which may be a new one; null for a trusted proxy. */
    find({ remoteAddress = '' }: Socket): Network | null {
      const address = parseAddress(remoteAddress);
      if (address && trusted.some((range) => isInRange(address, range))) return null;
      const name = clientNetworkOf(remoteAddress);
      return networks.get(name) ?? { name, group: newGroup() };
    },
    keep(network: Network): void {
      networks.set(network.name, network);
    },
    removeIfEmpty(network: Network): void {
      const isEmpty = sizeOf(network.group) === 0;
      if (isEmpty && networks.get(network.name) === network) networks.delete(network.name);
    },
  };
}

const newGroup = (): Group => ({
  silent: new Set(),
  busy: new Set(),
  unread: new Set(),
  idle: new Set(),
});

const sizeOf = ({ silent, busy, unread, idle }: Group): number =>
  silent.size + busy.size + unread.size + idle.size;

function move(group: Group, connection: Connection, state: State): void {
  group[connection.state].delete(connection);
  group[state].add(connection);
}

/**
 * Returns the oldest connection without a request if it was opened by `silentUntilMs`, else the one that is idle for the
 * longest time, else the one whose answer is unread for the longest time, else the oldest without a request. Undefined if
 * all are busy. Without the time for a first request, new connections close each other while idle ones stay.
 */
function leastNeeded(group: Group, silentUntilMs: number): Connection | undefined {
  const [silent] = group.silent;
  if (silent && silent.openedMs <= silentUntilMs) return silent;
  const [idle] = group.idle;
  const [unread] = group.unread;
  return idle ?? unread ?? silent;
}

function setConnectionClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
