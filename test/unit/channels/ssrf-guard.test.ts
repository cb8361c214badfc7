// The addresses that messages may be sent to, in every notation in which a URL or a DNS server can give them.
import type { LookupAddress } from 'node:dns';
import {
  createDestinationPolicy,
  guardedLookup,
  ipLiteralOf,
  DestinationNotAllowed,
} from '../../../src/channels/ssrf-guard.ts';

const mayReach = (text: string, allowed: readonly string[] = []): boolean => {
  const url = new URL(text);
  return createDestinationPolicy(allowed)(url)(ipLiteralOf(url) ?? '');
};

test.each([
  ['loopback', '127.0.0.1'],
  ['loopback beyond the first', '127.8.9.1'],
  ['loopback in short notation', '127.1'],
  ['loopback as a number', '2130706433'],
  ['loopback in hexadecimal', '0x7f.0.0.1'],
  ['loopback in octal', '0177.0.0.1'],
  ['this host', '0.0.0.0'],
  ['private', '10.1.2.3'],
  ['private', '172.16.0.1'],
  ['private', '192.168.1.1'],
  ['shared by carriers', '100.64.0.1'],
  ['link-local, where clouds keep credentials', '169.254.169.254'],
  ['protocol assignments', '192.0.0.8'],
  ['documentation', '192.0.2.1'],
  ['benchmarks', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '[::]'],
  ['loopback', '[::1]'],
  ['IPv4-compatible', '[::127.0.0.1]'],
  ['IPv4-compatible of a public address', '[::8.8.8.8]'],
  ['IPv4-mapped', '[::ffff:127.0.0.1]'],
  ['IPv4-mapped of a public address', '[::ffff:8.8.8.8]'],
  ['IPv4-translated', '[::ffff:0:127.0.0.1]'],
  ['translated by NAT64', '[64:ff9b::127.0.0.1]'],
  ['translated by a local NAT64', '[64:ff9b:1::127.0.0.1]'],
  ['6to4', '[2002:7f00:1::]'],
  ['Teredo', '[2001::1]'],
  ['link-local', '[fe80::1]'],
  ['site-local (deprecated)', '[fec0::1]'],
  ['unique local', '[fd12:3456::1]'],
  ['multicast', '[ff02::1]'],
  ['documentation', '[2001:db8::1]'],
  ['discarded', '[100::1]'],
  ['unassigned', '[4000::1]'],
])('an address that is %s is not allowed: %s', (_kind, host) => {
  expect(mayReach(`https://${host}/`)).toBe(false);
});

test.each(['8.8.8.8', '[2606:4700::1111]'])('a public address is allowed: %s', (host) => {
  expect(mayReach(`https://${host}/`)).toBe(true);
});

test('plain HTTP may reach the configured ranges only', () => {
  expect(mayReach('http://8.8.8.8/')).toBe(false);
  expect(mayReach('http://10.1.2.3/', ['10.0.0.0/8'])).toBe(true);
});

test.each([
  ['a range', ['10.1.0.0/16'], '10.1.2.3', true],
  ['a range', ['10.1.0.0/16'], '10.2.0.1', false],
  ['one address', ['10.1.2.3'], '10.1.2.3', true],
  ['one address', ['10.1.2.3'], '10.1.2.4', false],
  ['an IPv6 range', ['fd00::/8'], '[fd00::1]', true],
  ['an IPv6 range', ['fd00::/8'], '[fe80::1]', false],
  ['an IPv4 range, for a mapped address', ['127.0.0.0/8'], '[::ffff:127.0.0.1]', false],
])(
  '%s in the configuration allows exactly its addresses: %s %s',
  (...[, allowed, host, expected]) => {
    expect(mayReach(`https://${host}/`, allowed)).toBe(expected);
  },
);

const look = (name: string, allowed: readonly string[], all: boolean) =>
  new Promise<string | LookupAddress[]>((resolve, reject) => {
    const isReachable = createDestinationPolicy(allowed)(new URL('https://a'));
    guardedLookup(isReachable)(name, { all, family: 4 }, (error, address) =>
      error ? reject(error) : resolve(address),
    );
  });

test.each([true, false])(
  'a name that resolves to a forbidden address fails the lookup (all: %s)',
  async (all) => {
    await expect(look('localhost', [], all)).rejects.toThrow(DestinationNotAllowed);
  },
);

test('a name that resolves to an allowed address gives the form that Node expects', async () => {
  expect(await look('localhost', ['127.0.0.0/8'], false)).toBe('127.0.0.1');
  expect(await look('localhost', ['127.0.0.0/8'], true)).toEqual([
    { address: '127.0.0.1', family: 4 },
  ]);
});
