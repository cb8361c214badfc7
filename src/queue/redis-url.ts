/**
 * The forms of REDIS_URL.
 *
 * - `redis://user:password@host:6379/0`: one server, or a proxy in front of several.
 * - `redis+sentinel://user:password@host:26379,host:26379/master`: the master that the sentinels name. `sentinelUsername` and
 *   `sentinelPassword` are query parameters, and so is `db`.
 * - `redis+cluster://user:password@host:6379,host:6379`: a cluster; the nodes are where discovery begins.
 *
 * `rediss` in place of `redis` is TLS, to the sentinels too. Names and passwords are percent-encoded.
 */
import { StartupError } from '../base/process/startup.ts';

type RedisNode = { readonly host: string; readonly port: number };
type Credentials = { readonly username?: string; readonly password?: string };

type Servers = Credentials & { readonly nodes: readonly RedisNode[]; readonly hasTls: boolean };

export type RedisTarget =
  | { readonly kind: 'single'; readonly url: string }
  | (Servers & {
      readonly kind: 'sentinel';
      readonly name: string;
      readonly db: number;
      readonly sentinel: Credentials;
    })
  | (Servers & { readonly kind: 'cluster' });

const shape =
  /^redis(?<tls>s?)\+(?<kind>sentinel|cluster):\/\/(?:(?<username>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?]+)(?:\/(?<name>[^/?]*))?(?:\?(?<query>.*))?$/;
const hostShape = /^(?:\[(?<v6>[0-9A-Fa-f:.]+)\]|(?<host>[^:[\]\s]+))(?::(?<port>\d{1,5}))?$/;
const defaultPorts = { sentinel: 26_379, cluster: 6_379 } as const;
const maxPort = 65_535;

/** Throws `StartupError` that says what is wrong, without the value. */
export function parseRedisUrl(url: string): RedisTarget {
  if (!/^rediss?\+/.test(url)) return { kind: 'single', url };
  const found = shape.exec(url)?.groups;
  if (!found) throw invalid('has another form than redis+sentinel://… or redis+cluster://…');
  const kind = found.kind as 'sentinel' | 'cluster';
  const target = {
    nodes: (found.hosts ?? '').split(',').map((host) => parseNode(host, defaultPorts[kind])),
    hasTls: found.tls === 's',
    ...credentials(found.username, found.password),
  };
  const query = new URLSearchParams(found.query ?? '');
  if (kind === 'cluster') {
    if (found.name) throw invalid('names a database, of which a cluster has one');
    requireKnown(query, []);
    return { kind, ...target };
  }
  requireKnown(query, ['sentinelUsername', 'sentinelPassword', 'db']);
  const db = Number(query.get('db') ?? 0);
  if (!Number.isInteger(db) || db < 0) throw invalid('has a db that is no whole number');
  const name = decoded(found.name ?? '');
  if (name === '') throw invalid('names no master, as in redis+sentinel://host:26379/master');
  const [username, password] = [query.get('sentinelUsername'), query.get('sentinelPassword')];
  const sentinel = { ...(username && { username }), ...(password && { password }) };
  return { kind, ...target, name, db, sentinel };
}

const invalid = (what: string): StartupError => new StartupError(`REDIS_URL ${what}.`);

function parseNode(text: string, defaultPort: number): RedisNode {
  const found = hostShape.exec(text)?.groups;
  const port = Number(found?.port ?? defaultPort);
  if (!found || port < 1 || port > maxPort) throw invalid('has a host that is not host:port');
  return { host: found.v6 ?? found.host ?? '', port };
}

const credentials = (username = '', password = ''): Credentials => ({
  ...(username !== '' && { username: decoded(username) }),
  ...(password !== '' && { password: decoded(password) }),
});

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('has a name or password that is not percent-encoded');
  }
}

function requireKnown(query: URLSearchParams, known: readonly string[]): void {
  if ([...query.keys()].some((key) => !known.includes(key)))
    throw invalid(`has an unknown parameter; known here: ${known.join(', ') || 'none'}`);
}

/** Returns the prefix of keys. In a cluster it is a hash tag, so that all keys of the queue are on one node, as its scripts need. */
export const keyPrefixOf = (url: string, prefix: string): string =>
  parseRedisUrl(url).kind === 'cluster' ? `{${prefix}}` : prefix;
