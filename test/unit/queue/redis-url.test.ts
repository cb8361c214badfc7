/** The forms of REDIS_URL. */
import { keyPrefixOf, parseRedisUrl } from '../../../src/queue/redis-url.ts';

test.each(['redis://h:1/2', 'rediss://u:p@h'])('%s is one server', (url) => {
  expect(parseRedisUrl(url)).toEqual({ kind: 'single', url });
  expect(keyPrefixOf(url, 'inlet')).toBe('inlet');
});

test('sentinels have a master, and credentials of their own', () => {
  expect(parseRedisUrl('redis+sentinel://h1:1,h2/main')).toEqual({
    kind: 'sentinel',
    nodes: [
      { host: 'h1', port: 1 },
      { host: 'h2', port: 26_379 },
    ],
    name: 'main',
    db: 0,
    sentinel: {},
    hasTls: false,
  });
  const url =
    'rediss+sentinel://us%40er:p%3Aw%2F@[::1]:2/main?sentinelUsername=s&sentinelPassword=q&db=3';
  expect(parseRedisUrl(url)).toEqual({
    kind: 'sentinel',
    nodes: [{ host: '::1', port: 2 }],
    name: 'main',
    db: 3,
    username: 'us@er',
    password: 'p:w/',
    sentinel: { username: 's', password: 'q' },
    hasTls: true,
  });
});

test('a cluster has nodes, and one node for all keys of the queue', () => {
  expect(parseRedisUrl('rediss+cluster://:secret@h1,h2:2')).toEqual({
    kind: 'cluster',
    nodes: [
      { host: 'h1', port: 6_379 },
      { host: 'h2', port: 2 },
    ],
    password: 'secret',
    hasTls: true,
  });
  expect(keyPrefixOf('redis+cluster://h1', 'inlet')).toBe('{inlet}');
});

test.each([
  ['redis+sentinel://secret@h1:1', 'names no master'],
  ['redis+sentinel://:secret@h1:1/', 'names no master'],
  ['redis+sentinel://:secret@h1:1/m?database=1', 'unknown parameter'],
  ['redis+sentinel://:secret@h1:1/m?db=x', 'db that is no whole number'],
  ['redis+sentinel://:secret@h1:70000/m', 'host that is not host:port'],
  ['redis+cluster://:secret@h1:1:2', 'host that is not host:port'],
  ['redis+cluster://:secret@h1,', 'host that is not host:port'],
  ['redis+cluster://:secret@h1/1', 'names a database'],
  ['redis+cluster://:secret@h1?x=1', 'unknown parameter'],
  ['redis+cluster://:secret%zz@h1', 'not percent-encoded'],
  ['redis+cluster://', 'another form'],
  ['redis+proxy://:secret@h1', 'another form'],
])('%s: %s', (url, problem) => {
  let message = '';
  try {
    parseRedisUrl(url);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain(problem);
  expect(message).not.toContain('secret');
});
