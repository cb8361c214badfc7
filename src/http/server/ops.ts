/**
 * Operations, on a port of their own: is the process alive, is it ready, and its metrics.
 *
 * Promises: ready means that nothing stands in the way, and what does is named; a check that fails is not ready.
 * Must never: be mounted on the public port.
 */
import express, { type Express, type Response } from 'express';
import type { Registry } from 'prom-client';
import { listen, type Listening } from './listen.ts';

export type OpsDeps = {
  readonly registry: Registry;
  /** What keeps the process from doing its work, in words; nothing: it is ready. */
  readonly readinessFailures: () => Promise<readonly string[]>;
  /** Why the process should be ended and started anew, in words; nothing: it is alive. */
  readonly livenessFailures?: () => readonly string[];
};

export type OpsAddress = { readonly opsHost: string; readonly opsPort: number };

export function createOps({
  registry,
  readinessFailures,
  livenessFailures = () => [],
}: OpsDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/healthz', (_request, response) => {
    answer(response, livenessFailures());
  });
  app.get('/readyz', async (_request, response) => {
    const reasons = await readinessFailures().catch(() => ['the check itself failed']);
    answer(response, reasons);
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

function answer(response: Response, reasons: readonly string[]): void {
  const ok = reasons.length === 0;
  response.status(ok ? 200 : 503).json({ ok, reasons });
}

/** Port 0 picks a free one. Rejects with `StartupError`. */
export const listenOps = ({
  opsHost,
  opsPort,
  ...deps
}: OpsDeps & OpsAddress): Promise<Listening> =>
  listen(createOps(deps), { host: opsHost, port: opsPort });
