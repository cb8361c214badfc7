// A name in front of servers, as a proxy of a managed service: `lead` leads new connections to another port, and open ones stay.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

export type NameProxy = Awaited<ReturnType<typeof startNameProxy>>;

/** `rewrite` changes what the servers answer; it keeps the length. */
export async function startNameProxy(
  first: number,
  rewrite: (answer: Buffer) => Buffer = (answer) => answer,
) {
  let port = first;
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(port, '127.0.0.1');
    const end = () => {
      for (const socket of [client, upstream]) socket.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (answer: Buffer) => client.write(rewrite(answer)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    lead(to: number): void {
      port = to;
    },
    /** How many connections were opened so far. */
    connections: () => connections,
    close(): void {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
