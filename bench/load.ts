/** Sends leads over many connections. Each connection sends its next lead after the response to the last one. */
import autocannon from 'autocannon';
import { nextBody } from './data/lead.ts';

export const usualConnections = 32;

type Load = {
  readonly accepted: number;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
};

type Bound =
  | { readonly seconds: number; /** Requests a second. */ readonly rate?: number }
  | { readonly amount: number };
type LoadOptions = Bound & {
  readonly body?: () => string;
  /** Of each request. Default: that of the URL. */
  readonly path?: () => string;
  readonly connections?: number;
  /** Leads that are not accepted are left out of `accepted`, and are no error. */
  readonly mayReject?: boolean;
};

/** Sends for some seconds, or a number of leads. Rejects when a response is not 2xx. */
export async function sendLoad(
  url: string,
  {
    body = nextBody,
    path,
    connections = usualConnections,
    mayReject = false,
    ...bound
  }: LoadOptions,
): Promise<Load> {
  const latenciesMs: number[] = [];
  const startedMs = performance.now();
  const result = await autocannon({
    url,
    connections,
    ...('amount' in bound
      ? { amount: bound.amount }
      : { duration: bound.seconds, ...(bound.rate && { overallRate: bound.rate }) }),
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        setupRequest: (request) => ({
          ...request,
          ...(path && { path: path() }),
          body: body(),
        }),
      },
    ],
    setupClient(client) {
      client.on('response', (_status, _bytes, ms) => latenciesMs.push(ms));
    },
  });
  const { '2xx': accepted, non2xx, errors } = result;
  const seconds = (performance.now() - startedMs) / 1_000;
  if (!mayReject && non2xx + errors > 0)
    throw new Error(`${non2xx + errors} of ${accepted} were not accepted.`);
  return { accepted, seconds, latenciesMs };
}

export async function sendOne(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: nextBody() });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`A lead was answered ${response.status}.`);
}
