// A TCP proxy between one process and one service. A stalled direction delays data and loses none, like a partition that
// heals. A cut closes all connections and loses data in transit.
import { connect, createServer, type Socket } from 'node:net';
import { pipe } from '../../deep/chaos/cluster/pipe.ts';

type Direction = 'up' | 'down';

/** The connections of one process to one service. */
export type Network = {
  /** Nothing passes in these directions (up: from the process to the service) until `heal`. */
  stall(directions: readonly Direction[]): void;
  /** Closes all connections, and refuses new ones until `heal`. */
  cut(): void;
  heal(): void;
  /** Closes all connections; new ones are accepted. */
  reset(): void;
  close(): Promise<void>;
};

type Proxy = Network & { readonly port: number };

type Pair = { readonly near: Socket; readonly far: Socket };

export async function createProxy(targetPort: number): Promise<Proxy> {
  const pairs = new Set<Pair>();
  let stalled: readonly Direction[] = [];
  let isCut = false;

  function apply({ near, far }: Pair): void {
    for (const [source, direction] of [
      [near, 'up'],
      [far, 'down'],
    ] as const) {
      if (stalled.includes(direction)) source.pause();
      else source.resume();
    }
  }

  function open(near: Socket): void {
    if (isCut) return void near.destroy();
    const far = connect(targetPort, '127.0.0.1');
    const pair = { near, far };
    pairs.add(pair);
    pipe(near, far, () => void pairs.delete(pair));
    apply(pair);
  }

  const reset = () => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  const server = createServer(open);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    reset,
    stall(directions) {
      stalled = directions;
      pairs.forEach(apply);
    },
    cut() {
      isCut = true;
      reset();
    },
    heal() {
      isCut = false;
      stalled = [];
      pairs.forEach(apply);
    },
    async close() {
      reset();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Several proxies that always have the same faults. */
export const combineProxies = (proxies: readonly Proxy[]): Network => ({
  stall: (directions) => proxies.forEach((proxy) => proxy.stall(directions)),
  cut: () => proxies.forEach((proxy) => proxy.cut()),
  heal: () => proxies.forEach((proxy) => proxy.heal()),
  reset: () => proxies.forEach((proxy) => proxy.reset()),
  close: async () => void (await Promise.all(proxies.map((proxy) => proxy.close()))),
});
