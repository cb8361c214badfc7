// A sender that posts ten events a second until it is stopped.
import type { createClient } from './client.ts';

/** Returns what stops it. */
export function startSender(client: Pick<ReturnType<typeof createClient>, 'deliver'>, key: string) {
  let isStopped = false;
  async function send(): Promise<void> {
    for (let n = 0; !isStopped; n += 1) {
      const lead = { id: `${key.slice(0, 4)}-${n}`, name: 'Ana' };
      await client.deliver(key, { id: `${n}`, text: 'hello', lead });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  const done = send();
  return async () => {
    isStopped = true;
    await done;
  };
}
