import {
  isInRange,
  clientNetworkOf,
  parseAddress,
  parseRange,
} from '../../../src/domain/access/ip-address.ts';

test.each([
  ['203.0.113.7', '203.0.113.0/24', true],
  ['203.0.114.7', '203.0.113.0/24', false],
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.8', '203.0.113.7', false],
  ['10.200.3.4', '10.1.2.3/8', true],
  ['1.2.3.4', '0.0.0.0/0', true],
  ['::ffff:203.0.113.7', '203.0.113.0/24', true],
  ['::ffff:cb00:7107', '203.0.113.7', true],
  ['203.0.113.7', '::ffff:203.0.113.0/120', true],
  ['203.0.113.7', '::ffff:203.0.113.7', true],
  ['1.2.3.4', '::/0', false],
  ['2001:db8::1', '2001:db8::/32', true],
  ['2001:DB8:0::1', '2001:db8::1', true],
  ['2001:db9::1', '2001:db8::/32', false],
  ['2001:db8::1', '0.0.0.0/0', false],
  ['fe80::1%eth0', 'fe80::/10', true],
  ['203.0.113.7:51234', '203.0.113.7', true],
  ['[2001:db8::1]:443', '2001:db8::1', true],
  ['"[2001:db8::1]:443"', '2001:db8::1', true],
])('%s within %s: %s', (text, range, expected) => {
  const address = parseAddress(text);
  const read = parseRange(range);
  if (!address || !read) throw new Error('Neither may be unreadable.');
  expect(isInRange(address, read)).toBe(expected);
});

test.each([
  '',
  'unknown',
  '1',
  '0x7f.1',
  '127.1',
  '256.1.1.1',
  '1.2.3.4.5',
  'localhost',
  ':::',
  '_x',
])('%j is not an address', (text) => {
  expect(parseAddress(text)).toBeNull();
  expect(parseRange(text)).toBeNull();
});

test.each([
  '1.2.3.4/33',
  '1.2.3.4/',
  '1.2.3.4/-1',
  '1.2.3.4/8/8',
  '::/129',
  '::/x',
  'fe80::1%eth0/64',
  '*',
])('%j is not a range', (text) => expect(parseRange(text)).toBeNull());

test('the client network is the IPv4 address, or the /64 of an IPv6 address', () => {
  expect(clientNetworkOf('203.0.113.7')).toBe('203.0.113.7');
  expect(clientNetworkOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
  expect(clientNetworkOf('2001:db8:1:2::1')).toBe(clientNetworkOf('2001:db8:1:2:ffff::9'));
  expect(clientNetworkOf('2001:db8:1:2::1')).not.toBe(clientNetworkOf('2001:db8:1:3::1'));
  expect(clientNetworkOf('who knows')).toBe(clientNetworkOf(''));
});
