import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort, isPortFree, startOnFreePort } from '../../../scripts/lib/process/ports.mjs';

test('a free port is below those of outgoing connections, and no process listens on it', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  for (const port of ports) expect(port).toBeLessThan(32_768);
  for (const port of ports) expect(await isPortFree(port)).toBe(true);
});

test('a port is not free while a process listens on it', async () => {
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect(await isPortFree(port)).toBe(false);
  await new Promise((resolve) => server.close(resolve));
});

describe('a server whose port is taken between the look and the start', () => {
  const listen = async (port: number) => {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };

  test('gets another one', async () => {
    const taken = await freePort();
    const first = await listen(taken);
    const found = [taken, await freePort()];
    const server = await startOnFreePort(listen, async () => found.shift() ?? 0);
    expect(found).toEqual([]);
    for (const each of [first, server]) each.close();
  });
  test('is given up after five tries', async () => {
    const taken = await freePort();
    const first = await listen(taken);
    let looks = 0;
    const find = async () => {
      looks += 1;
      return taken;
    };
    await expect(startOnFreePort(listen, find)).rejects.toThrow('EADDRINUSE');
    expect(looks).toBe(5);
    first.close();
  });
  test('is not started again for another reason', async () => {
    let starts = 0;
    const fail = async () => {
      starts += 1;
      throw new Error('wrong option');
    };
    await expect(startOnFreePort(fail)).rejects.toThrow('wrong option');
    expect(starts).toBe(1);
  });
});
