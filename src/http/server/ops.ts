/**
 * The operations port: liveness, readiness and metrics of the process.
 *
 * Promises: the answers name the failures. `/readyz?scope=self` does not depend on a database.
 * Must never: be mounted on the public port.
 */
import express, { type Express, type Response } from 'express';
import { Registry } from 'prom-client';
import { openMetricsText, openMetricsType } from '../../base/observability/open-metrics.ts';
import type { Readiness } from '../../base/process/readiness.ts';
import { listen, type Listening } from './listen.ts';

type OpsDeps = {
  readonly registry: Registry;
  readonly readiness: Pick<Readiness, 'failures' | 'ownFailures'>;
  /** Returns the reasons why the process should be restarted; empty if it is alive. */
  readonly livenessFailures?: () => readonly string[];
  /** Returns the metrics of single webhooks, or null while the process starts. Absent when they are off. */
  readonly webhookMetrics?: () => Promise<string> | null;
};

type OpsAddress = { readonly opsHost: string; readonly opsPort: number };

const textType = Registry.PROMETHEUS_CONTENT_TYPE;

function createOps(deps: OpsDeps): Express {
  const { registry, readiness, livenessFailures = () => [], webhookMetrics } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/healthz', (_request, response) => {
    answer(response, livenessFailures());
  });
  app.get('/readyz', async ({ query }, response) => {
    const isSelf = query.scope === 'self';
    const failures = isSelf ? readiness.ownFailures() : await readiness.failures();
    answer(
      response,
      failures.map(({ reason }) => reason),
    );
  });
  app.get('/metrics', async (request, response) => {
    const isOpenMetrics = request.accepts([textType, openMetricsType]) === openMetricsType;
    const text = await (isOpenMetrics ? openMetricsText(registry) : registry.metrics());
    response.setHeader('Content-Type', isOpenMetrics ? openMetricsType : textType);
    response.end(text);
  });
  if (webhookMetrics)
    app.get('/metrics/webhooks', async (_request, response) => {
      const text = await webhookMetrics()?.catch(() => null);
      if (!text) return answer(response, ['MongoDB does not answer']);
      response.setHeader('Content-Type', textType);
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
