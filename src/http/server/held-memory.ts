/**
 * Limits the memory that connections hold: answers that clients do not read, and pipelined requests that wait.
 *
 * Promises: beyond a limit the connections that hold the most for the longest time are closed. A client that reads nothing
 * of its answer is disconnected.
 * The bytes are looked up in intervals instead of counted at each write, which costs a request nothing. Between two checks
 * they grow by no more than the process produces in that time.
 */
import type { IncomingMessage } from 'node:http';
import type { Connection, Connections } from './connections.ts';

export type HeldMemoryLimits = {
  readonly maxHeldBytes: number;
  readonly maxHeldBytesOfNetwork: number;
  /** How long a client may read nothing of its answer. */
  readonly unreadTimeout: number;
  readonly heldCheckInterval: number;
};

/** What the objects of a waiting request take, besides its header lines and body. */
const requestBytes = 4_096;

/** Checks until the returned function is called. `note` receives the bytes that all connections hold. */
export function limitHeldMemory(
  connections: Connections,
  limits: HeldMemoryLimits,
  note: (bytes: number) => void,
): () => void {
  const timer = setInterval(() => note(check(connections, limits)), limits.heldCheckInterval);
  timer.unref();
  return () => clearInterval(timer);
}

type Holder = { readonly connection: Connection; readonly bytes: number };

/** Returns the bytes that the open connections hold. */
function check(connections: Connections, limits: HeldMemoryLimits): number {
  const holders: Holder[] = [];
  let total = 0;
  for (const connection of connections.all()) {
    setUnreadTimeout(connection, limits.unreadTimeout);
    const bytes = heldBytes(connection);
    connection.heldScore = bytes === 0 ? 0 : connection.heldScore + bytes;
    if (bytes > 0) holders.push({ connection, bytes });
    total += bytes;
  }
  if (total <= Math.min(limits.maxHeldBytes, limits.maxHeldBytesOfNetwork)) return total;
  for (const { connection, bytes } of excessOf(holders, limits)) {
    connections.close(connection, 'unread');
    total -= bytes;
  }
  return total;
}

/** Returns the holders beyond the limits. Those with the lowest scores may stay, at least one, so that any answer can be read. */
function excessOf(holders: Holder[], limits: HeldMemoryLimits): Holder[] {
  holders.sort((one, other) => one.connection.heldScore - other.connection.heldScore);
  const keptOfNetwork = new Map<unknown, number>();
  let kept = 0;
  return holders.filter(({ connection: { network }, bytes }) => {
    const ofNetwork = network ? (keptOfNetwork.get(network) ?? 0) : 0;
    const isOver =
      (kept > 0 && kept + bytes > limits.maxHeldBytes) ||
      (ofNetwork > 0 && ofNetwork + bytes > limits.maxHeldBytesOfNetwork);
    if (isOver) return true;
    kept += bytes;
    if (network) keptOfNetwork.set(network, ofNetwork + bytes);
    return false;
  });
}

function heldBytes({ socket, waiting }: Connection): number {
  let bytes = socket.writableLength;
  for (const { req } of waiting) bytes += waitingBytes(req);
  return bytes;
}

const waitingBytes = ({ rawHeaders, readableLength }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length, requestBytes + readableLength);

/** Node's timeout of a socket is extended by each progress of a write. It is removed once the client has read everything. */
function setUnreadTimeout(connection: Connection, timeoutMs: number): void {
  const { socket } = connection;
  const isUnread = socket.writableLength > 0;
  if (isUnread) {
    // Node sets another timeout after an answer and with the next request, possibly between two checks.
    if (socket.timeout !== timeoutMs) socket.setTimeout(timeoutMs);
  } else if (connection.isTimed && connection.current) {
    // Between requests Node has set the timeout of idle connections.
    socket.setTimeout(0);
  }
  connection.isTimed = isUnread;
}
