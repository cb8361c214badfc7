/** Checks of MONGODB_URL and REDIS_URL. The problems are in words, without the value, which has a password. */

const notEncoded =
  'has a user or password with a character that must be percent-encoded, such as %40 for @, %3A for : and %2F for /';
const host = /^(?:\[[0-9A-Fa-f:.]+\]|[^:[\]\s]+)(?::\d{1,5})?$/;

type UrlParts = { readonly userinfo: string; readonly hosts: string; readonly tail: string };

function partsOf(url: string): UrlParts {
  const rest = url.slice(url.indexOf('://') + '://'.length);
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  const at = authority.lastIndexOf('@');
  return {
    userinfo: at === -1 ? '' : authority.slice(0, at),
    hosts: authority.slice(at + 1),
    tail: rest.slice(authority.length),
  };
}

/** A slash, question mark or hash in a password ends the authority early, so that an `@` follows later. */
function isUnencoded({ userinfo, hosts, tail }: UrlParts): boolean {
  if (/[@[\]\s]|:.*:/.test(userinfo) || /%(?![0-9A-Fa-f]{2})/.test(userinfo)) return true;
  if (userinfo !== '' || !tail.includes('@')) return false;
  return /^\/[^?]*@/.test(tail) || !hosts.split(',').every((each) => host.test(each));
}

const forbiddenInName = /[/\\. "$*<>:|?\0]/;

/** Returns what is wrong, or null. */
export function mongodbUrlProblem(url: string): string | null {
  const parts = partsOf(url);
  if (isUnencoded(parts)) return notEncoded;
  const name = decoded(/^\/([^?#]*)/.exec(parts.tail)?.[1] ?? '');
  if (name === '') return 'names no database; add it after the hosts, as in mongodb://host/inlet';
  if (name !== null && !forbiddenInName.test(name)) return null;
  return 'names a database with a character that MongoDB does not allow';
}

/** Returns what is wrong, or null. `redis+sentinel` and `redis+cluster` have further checks where they are parsed. */
export function redisUrlProblem(url: string): string | null {
  const parts = partsOf(url);
  if (isUnencoded(parts)) return notEncoded;
  if (/^rediss?\+/.test(url)) return null;
  if (!URL.canParse(url)) return 'is not a URL of the form redis://user:password@host:6379/0';
  return /^(?:\/\d*)?(?:\?|$)/.test(parts.tail) ? null : 'names a database that is not a number';
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
