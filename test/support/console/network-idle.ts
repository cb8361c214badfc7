// Whether a page still waits for answers. What comes while a hand is pressing may move what it presses away from under it, on a
// slow machine for longer than anybody would see.
import { setTimeout as pause } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';

/** An answer that a story holds back is not waited for. */
const longestMs = 2_000;

/** Waits until what the page has asked for is there; a tail that stays open counts as answered. */
export function createNetworkIdle(page: Page): () => Promise<void> {
  const asked = new Set<Request>();
  const came = (request: Request): void => void asked.delete(request);
  page.on('request', (request) => asked.add(request));
  page.on('requestfinished', came);
  page.on('requestfailed', came);
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    if (type.startsWith('text/event-stream')) came(response.request());
  });
  return async () => {
    const deadline = performance.now() + longestMs;
    while (asked.size > 0 && performance.now() < deadline) await pause(20);
  };
}
