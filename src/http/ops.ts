/**
 * Operations, on a port of their own: is the process alive, is it ready, and its metrics.
 *
 * Promises: ready means that nothing stands in the way, and what does is named; a check that fails is not ready.
 * Must never: be mounted on the public port.
 */
import express, { type Express } from 'express';
import type { Registry } from 'prom-client';
import { listen, type Listening } from './listen.ts';

export type OpsDeps = {
  readonly registry: Registry;
  /** What keeps the process from doing its work, in words; nothing: it is ready. */
  readonly troubles: () => Promise<readonly string[]>;
};

export type OpsAddress = { readonly opsHost: string; readonly opsPort: number };

export function createOps({ registry, troubles }: OpsDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/healthz', (_request, response) => {
    response.json({ ok: true });
  });
  app.get('/readyz', async (_request, response) => {
    const reasons = await troubles().catch(() => ['the check itself failed']);
    const ok = reasons.length === 0;
    response.status(ok ? 200 : 503).json({ ok, reasons });
  });
  app.get('/metrics', async (_request, response) => {
    const text = await registry.metrics();
    response.setHeader('Content-Type', registry.contentType);
    response.end(text);
  });
  app.use((_request, response) => {
    response.status(404).end();
  });
  return app;
}

/** Port 0 picks a free one. Rejects with ListenError. */
export const listenOps = ({
  opsHost,
  opsPort,
  ...deps
}: OpsDeps & OpsAddress): Promise<Listening> =>
  listen(createOps(deps), { host: opsHost, port: opsPort });
