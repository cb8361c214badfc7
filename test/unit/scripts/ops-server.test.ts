import { serveOps } from '../../../scripts/lib/process/ops-server.mjs';

test('the operations port answers HEAD as GET, without a body, and no other method', async () => {
  const ops = await serveOps({
    host: '127.0.0.1',
    port: 0,
    metrics: async () => [],
    restarts: () => 0,
    serverOpsUrl: () => undefined,
  });
  try {
    const answerTo = async (method: string, path: string) => {
      const response = await fetch(`${ops.url}${path}`, { method });
      return [response.status, await response.text()];
    };
    expect(await answerTo('GET', '/healthz')).toEqual([200, 'ok\n']);
    expect(await answerTo('HEAD', '/healthz')).toEqual([200, '']);
    expect(await answerTo('HEAD', '/readyz')).toEqual([503, '']);
    expect(await answerTo('HEAD', '/metrics')).toEqual([200, '']);
    expect(await answerTo('POST', '/healthz')).toEqual([404, 'not found\n']);
  } finally {
    await ops.close();
  }
});
