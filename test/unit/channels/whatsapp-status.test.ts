// The statuses of the WhatsApp webhook, and to whose number an item belongs.
import { ignores, readStatus } from '../../../src/channels/whatsapp/read-status.ts';
import { statusOf } from '../../support/destinations/whatsapp-cloud.ts';

const sent = { id: 'wamid.1', to: '5511900000001', callbackData: 'our-id' };

test.each(['sent', 'delivered', 'read'] as const)('a status %s names the message', (state) => {
  expect(readStatus(statusOf(sent, state))).toEqual({
    externalId: 'wamid.1',
    messageId: 'our-id',
    state,
    reason: null,
  });
});

test.each([
  [131026, 'destination_rejected:131026'],
  [131047, 'window_closed'],
  [130429, 'destination_rejected:130429'],
  [999_999, 'destination_rejected:999999'],
])('a failure with the code %i has the reason %s', (code, reason) => {
  const status = statusOf({ id: 'wamid.1', to: sent.to }, 'failed', { code });
  expect(readStatus(status)).toMatchObject({ messageId: null, state: 'failed', reason });
});

test.each([
  [{ id: 'wamid.1', status: 'failed' }],
  [{ id: 'wamid.1', status: 'failed', errors: [{ code: 'x' }] }],
])('the failure %j without a code is rejected', (status) => {
  expect(readStatus(status)).toMatchObject({ reason: 'destination_rejected' });
});

test.each([
  null,
  'sent',
  {},
  { id: 'wamid.1', status: 'warning' },
  { id: '', status: 'sent' },
  { id: 'x'.repeat(301), status: 'sent' },
  { id: 'wamid.1', type: 'text', from: '5511900000001' },
])('%j is no status', (item) => {
  expect(readStatus(item)).toBeNull();
});

test('an item belongs to the number that it names', () => {
  const settings = { phoneNumberId: '12345' };
  expect(ignores({ phone_number_id: '12345' }, settings)).toBeNull();
  expect(ignores({}, settings)).toBeNull();
  expect(ignores({ phone_number_id: '99999' }, settings)).toBe('other_account');
});
