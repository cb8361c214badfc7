// A client of the API that retries on the next server until one answers.
import { setTimeout as pause } from 'node:timers/promises';
import { adminToken } from '../../../support/processes/roles.ts';

type Answered<Data> = { readonly status: number; readonly data: Data };

type Sent = readonly [body?: unknown, headers?: Readonly<Record<string, string>>];

export type Api = {
  /** Retries until a server answers with a status below 500. Rejects after two minutes. */
  callUntilAnswered<Data>(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    ...sent: Sent
  ): Promise<Answered<Data>>;
  /** All items of a list, page by page, and its total. */
  all<Item>(path: string): Promise<{ results: Item[]; total: number }>;
};

const answerWithinMs = 10_000;
const giveUpAfterMs = 120_000;
const perPage = 200;

export function createApi(urls: readonly string[], wrongAnswers: string[]): Api {
  let turn = 0;

  async function tryOnce<Data>(method: string, path: string, [body, headers]: Sent) {
    const url = urls[(turn += 1) % urls.length] ?? '';
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { keyapi: adminToken, 'content-type': 'application/json', ...headers },
      signal: AbortSignal.timeout(answerWithinMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { data } = (await response.json()) as { data: Data };
    if (response.status === 500) wrongAnswers.push(`${method} ${path} was answered 500`);
    return { status: response.status, data };
  }

  async function callUntilAnswered<Data>(method: string, path: string, ...sent: Sent) {
    const deadline = Date.now() + giveUpAfterMs;
    let last: unknown;
    while (Date.now() < deadline) {
      try {
        const answered = await tryOnce<Data>(method, path, sent);
        if (answered.status < 500) return answered;
        last = answered.status;
      } catch (error) {
        last = error;
      }
      await pause(250);
    }
    throw new Error(`${method} ${path} had no answer`, { cause: last });
  }

  async function all<Item>(path: string) {
    const results: Item[] = [];
    const joint = path.includes('?') ? '&' : '?';
    for (let page = 1; ; page += 1) {
      const { status, data } = await callUntilAnswered<{
        pagings: { total: number };
        results: Item[];
      }>('GET', `${path}${joint}per_page=${perPage}&current_page=${page}`);
      if (status !== 200) throw new Error(`GET ${path} was answered ${status}`);
      results.push(...data.results);
      if (data.results.length < perPage) return { results, total: data.pagings.total };
    }
  }

  return { callUntilAnswered, all };
}
