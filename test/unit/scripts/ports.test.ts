import { createServer } from 'node:net';
import { freePort, isPortFree } from '../../../scripts/lib/process/ports.mjs';

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
