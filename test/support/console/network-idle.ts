// Waits for pending requests of a page: a late response can move an element during a click.
import { setTimeout as pause } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';

/** A response that a scenario holds back is not awaited. */
const maxWaitMs = 5_000;

/** Resolves when all requests are answered; an open live stream counts as answered. */
export function createNetworkIdle(page: Page): () => Promise<void> {
  const asked = new Set<Request>();
  const came = (request: Request): void => void asked.delete(request);
  page.on('request', (request) => asked.add(request));
  page.on('requestfinished', came);
  page.on('requestfailed', came);
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    const request = response.request();
    // The console reads no body of the answer to a sign-out, so that it does not count as finished.
    const isSignOut = request.method() === 'DELETE' && request.url().endsWith('/console/session');
    if (isSignOut || type.startsWith('text/event-stream')) came(request);
  });
  return async () => {
    const deadline = performance.now() + maxWaitMs;
    // A read may follow another one a render later.
    for (let quiet = 0; quiet < 3 && performance.now() < deadline; await pause(20)) {
      quiet = asked.size === 0 ? quiet + 1 : 0;
    }
  };
}
