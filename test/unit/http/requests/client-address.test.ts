import type { Request } from 'express';
import { clientAddressOf } from '../../../../src/http/requests/client-address.ts';

test.each([
  ['192.0.2.1', '10.0.0.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '10.0.0.1', '192.0.2.1'],
  ['2001:DB8:0:0::1', '10.0.0.1', '2001:db8::1'],
  ['192.0.2.1:4711', '10.0.0.1', '192.0.2.1'],
  ['unknown', '::ffff:10.0.0.1', '10.0.0.1'],
  ['<script>', '10.0.0.1', '10.0.0.1'],
  [undefined, undefined, null],
])('the address of %s behind %s is %s', (ip, remoteAddress, address) => {
  expect(clientAddressOf({ ip, socket: { remoteAddress } } as Request)).toBe(address);
});
