/**
 * Preloaded into every measured process. Reports CPU time, memory and MongoDB messages to the parent on request. Messages
 * are counted at the socket, where each command of the driver is one write.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

export type Usage = {
  readonly type: 'usage';
  /** User and system time of all threads. */
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly mongoMessages: number;
};

let mongoMessages = 0;
const mongoPort = Number(new URL(process.env.MONGODB_URL ?? 'mongodb://localhost').port || 27_017);

subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  // Only after connecting, which resets the write method of the socket.
  socket.once('connect', () => {
    if (socket.remotePort !== mongoPort) return;
    const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
    socket.write = (...given: unknown[]) => {
      mongoMessages += 1;
      return write(...given);
    };
  });
});

process.on('message', (message: { type?: unknown }) => {
  if (message.type !== 'usage') return;
  const { user, system } = process.cpuUsage();
  const rssBytes = process.memoryUsage.rss();
  process.send?.({ type: 'usage', cpuMs: (user + system) / 1_000, rssBytes, mongoMessages });
});
