/**
 * Keeps connections on the primary. After a failover behind one name, such as that of a managed service, open connections stay
 * with the former primary, which is a read-only replica from then on and answers all reads.
 *
 * Promises: a connection to a replica does not become ready; it is closed and opened again, at most every two seconds, until the
 * name leads to a primary. A connection whose server becomes a replica is opened again at its first rejected write, and
 * without one within five seconds.
 */
import type { Redis, RedisOptions } from 'ioredis';
// The package does not export it by name.
import standalone from 'ioredis/built/connectors/StandaloneConnector.js';

const checkEveryMs = 5_000;

export const replicaFailure =
  'Redis is a read-only replica: the name in REDIS_URL must lead to the primary';

/** Returns whether the text of INFO is that of a replica. */
export const isReplica = (info: string): boolean => /^role:slave\r?$/m.test(info);

/** The server became a replica. It has run nothing of the command; before Redis 7 a script wraps the error in one of its own. */
const isReadOnly = ({ message }: Error): boolean => /\bREADONLY\b|^UNBLOCKED\b/.test(message);

/** Options of a connection. `onReplica` is called each time that it turns out to lead to a replica. */
export const leaveReplica = (onReplica: () => void) =>
  ({
    reconnectOnError(error) {
      if (!isReadOnly(error)) return false;
      onReplica();
      // The command is sent again on the next connection.
      return 2;
    },
  }) satisfies RedisOptions;

/** As `leaveReplica`; the connection does not become ready on a replica. */
export const primaryOnly = (onReplica: () => void) =>
  ({
    ...leaveReplica(onReplica),
    Connector: class extends standalone.default {
      /** The library gives its own options. */
      constructor(options: unknown) {
        super(options as RedisOptions);
      }

      /** `info` has the fields of INFO. False: the library closes the connection and opens another. */
      override check(info: { readonly role?: string } | undefined): boolean {
        if (info?.role !== 'slave') return true;
        onReplica();
        return false;
      }
    },
  }) satisfies RedisOptions;

/** A connection without writes gets no error, so its server is asked. */
export function watchRole(redis: Redis, onReplica: () => void): void {
  let isAsking = false;
  async function check(): Promise<void> {
    if (isAsking || redis.status !== 'ready') return;
    isAsking = true;
    try {
      if (!isReplica(await redis.info('replication'))) return;
      onReplica();
      redis.disconnect(true);
    } catch {
      // The connection broke, or its user may not ask.
    } finally {
      isAsking = false;
    }
  }
  let timer: NodeJS.Timeout | undefined;
  redis.on('ready', () => {
    timer = setInterval(() => void check(), checkEveryMs);
    timer.unref();
  });
  redis.on('close', () => clearInterval(timer));
}
