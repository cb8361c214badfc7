// The operations port of `npm start`: health, readiness and the metrics of all children.
// Must never be bound to a public address by default, and never shows more than the children say.
import { createServer } from 'node:http';
import { AggregatorRegistry, Counter, Gauge } from 'prom-client';
import { StepError } from '../output.mjs';

/**
 * @typedef {object} OpsOptions
 * @property {string} host
 * @property {number} port 0: a free one
 * @property {() => Promise<ChildMetrics[]>} metrics one set for each child that answers
 * @property {() => number} restarts of children
 * @property {() => string | undefined} serverOpsUrl of the server that is ready now
 */

/** @typedef {{ role: string, metrics: object }} ChildMetrics */
/** @typedef {{ status: number, body: string, type?: string }} Answer */
/** @type {Answer} */
const notFound = { status: 404, body: 'not found\n' };
/** @type {Answer} */
const unavailable = { status: 500, body: 'not available\n' };

/**
 * @param {OpsOptions} options
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serveOps({ host, port, metrics, restarts, serverOpsUrl }) {
  /** @type {Record<string, (search: string) => Promise<Answer>>} */
  const pages = {
    '/healthz': async () => ({ status: 200, body: 'ok\n' }),
    '/readyz': (search) => askServer(serverOpsUrl(), `/readyz?${search}`),
    '/metrics': async () => merge(await metrics(), restarts()),
    '/metrics/webhooks': () => askServer(serverOpsUrl(), '/metrics/webhooks'),
  };
  const server = createServer((request, response) => {
    const [path = '', search = ''] = (request.url ?? '').split('?');
    const page = ['GET', 'HEAD'].includes(request.method ?? '') ? pages[path] : undefined;
    const answer = page?.(search) ?? Promise.resolve(notFound);
    answer
      .catch(() => unavailable)
      .then(({ status, body, type = 'text/plain; charset=utf-8' }) => {
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
      })
      .catch(() => response.destroy());
  });
  const bound = await listen(server, { host, port });
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shownHost}:${bound}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * All series added up, how many processes they come from, and how often one started again.
 * @param {ChildMetrics[]} children
 * @param {number} restarts
 */
async function merge(children, restarts) {
  const registry = AggregatorRegistry.aggregate(children.map(({ metrics }) => metrics));
  const processes = new Gauge({
    name: 'inlet_processes',
    help: 'Processes whose series are merged here, by role.',
    labelNames: ['role'],
    registers: [registry],
  });
  for (const { role } of children) processes.inc({ role });
  new Counter({
    name: 'inlet_process_restarts_total',
    help: 'Processes that ended and started again.',
    registers: [registry],
  }).inc(restarts);
  return { status: 200, body: await registry.metrics(), type: registry.contentType };
}

/** What the server itself says. @param {string | undefined} opsUrl @param {string} path */
async function askServer(opsUrl, path) {
  const notReady = { status: 503, body: 'the server is not ready\n' };
  if (opsUrl === undefined) return notReady;
  try {
    const answer = await fetch(`${opsUrl}${path}`, {
      signal: AbortSignal.timeout(5_000),
    });
    const type = answer.headers.get('content-type') ?? undefined;
    return { status: answer.status, body: await answer.text(), type };
  } catch {
    return notReady;
  }
}

/**
 * @param {import('node:http').Server} server
 * @param {{ host: string, port: number }} address
 * @returns {Promise<number>}
 */
function listen(server, { host, port }) {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(refusal(error, { host, port })));
    server.listen(port, host, () => {
      const bound = server.address();
      resolve(bound !== null && typeof bound === 'object' ? bound.port : port);
    });
  });
}

/** @param {NodeJS.ErrnoException} error @param {{ host: string, port: number }} address */
function refusal(error, { host, port }) {
  const isTaken = error.code === 'EADDRINUSE';
  return new StepError(
    isTaken
      ? `The operations port ${host}:${port} is taken by another program.`
      : `The operations port ${host}:${port} cannot be opened (${error.code ?? error.message}).`,
    { advice: ['set INLET_OPS_PORT to another port (0 picks a free one), or free this one'] },
  );
}
