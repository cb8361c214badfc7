// A short-lived client of the Redis that a fault acts on.
import { Redis } from 'ioredis';

/** Rejects when Redis does not answer a command within 3 s. */
export async function withRedis(
  { url }: { readonly url: string },
  work: (client: Redis) => Promise<unknown>,
): Promise<void> {
  const client = new Redis(url, { maxRetriesPerRequest: 3, commandTimeout: 3_000 });
  client.on('error', () => undefined);
  try {
    await work(client);
  } finally {
    client.disconnect();
  }
}
