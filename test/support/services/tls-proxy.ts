// Ends TLS before a server on loopback that has none.
import { readFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { Certificate } from './certificates.ts';

export type TlsProxy = Awaited<ReturnType<typeof startTlsProxy>>;

export async function startTlsProxy(port: number, { cert, key }: Certificate) {
  const sockets = new Set<TLSSocket>();
  const server = createServer({ cert: await readFile(cert), key: await readFile(key) });
  server.on('secureConnection', (socket) => {
    const behind = connect(port, '127.0.0.1');
    sockets.add(socket);
    const end = () => {
      sockets.delete(socket);
      socket.destroy();
      behind.destroy();
    };
    for (const one of [socket, behind]) one.on('error', end).on('close', end);
    socket.pipe(behind).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
