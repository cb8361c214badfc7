import { newDelivery, type MessageDelivery } from '../../../src/domain/messages/delivery.ts';
import { settledBy, type DeliveryStatus } from '../../../src/domain/messages/delivery-status.ts';

const sent: MessageDelivery = {
  ...newDelivery(),
  state: 'delivered',
  attempts: 1,
  fence: 1,
  externalId: 'x1',
};
const { externalId: _none, ...unrecorded } = sent;

const report = (state: DeliveryStatus['state'], externalId = 'x1'): DeliveryStatus => ({
  messageId: 'm',
  externalId,
  state,
  reason: state === 'failed' ? 'destination_rejected:131026' : null,
});

function after(delivery: MessageDelivery, ...reports: readonly DeliveryStatus[]): MessageDelivery {
  return reports.reduce((current, one) => {
    const settled = settledBy(current, one);
    return settled === null || settled === 'early'
      ? current
      : { ...current, ...settled, isUnknown: false };
  }, delivery);
}

const shown = ({ state, reason, reported }: MessageDelivery) => [state, reason, reported];

function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) =>
    orders(items.filter((_one, index) => index !== at)).map((rest) => [item, ...rest]),
  );
}

const unknown = { ...unrecorded, state: 'dead', reason: 'delivery_unknown' } as const;
const waiting = { ...unrecorded, state: 'waiting', isUnknown: true } as const;

test.each<[string, MessageDelivery]>([
  ['accepted', { ...sent, reported: 'accepted' }],
  ['of a destination whose acceptance is not stored', sent],
  ['of an unknown outcome that is held', unknown],
  ['of an unknown outcome that is retried', waiting],
])('the reports of a message %s end in one state, in any order and repeated', (_what, delivery) => {
  for (const states of [
    ['sent', 'delivered', 'read'],
    ['sent', 'failed'],
    ['failed', 'delivered'],
    ['sent', 'sent', 'failed', 'delivered'],
  ] as const) {
    const ends = orders(states).map((order) =>
      shown(after(delivery, ...order.map((state) => report(state)))),
    );
    expect(new Set(ends.map(String)).size).toBe(1);
  }
  expect(shown(after(delivery, report('sent'), report('failed')))).toEqual([
    'dead',
    'destination_rejected:131026',
    'failed',
  ]);
  expect(shown(after(delivery, report('failed'), report('read')))).toEqual([
    'delivered',
    null,
    'read',
  ]);
});

test('a message in progress is delivered by a report of its arrival, and a failure waits for its outcome', () => {
  const sending = { ...unrecorded, state: 'sending', token: 't' } as const;
  expect(settledBy(sending, report('sent'))).toMatchObject({
    state: 'delivered',
    externalId: 'x1',
  });
  expect(settledBy(sending, report('failed'))).toBe('early');
});

test('the reports of a message that was sent twice end with that which came farthest, in any order', () => {
  const reports = [
    report('sent', 'x1'),
    report('delivered', 'x1'),
    report('sent', 'x2'),
    report('read', 'x2'),
  ];
  for (const order of orders(reports)) {
    expect(shown(after(sent, ...order))).toEqual(['delivered', null, 'read']);
  }
  const failed = [report('failed', 'x2'), report('delivered', 'x1')];
  for (const order of orders(failed)) {
    expect(shown(after(sent, ...order))).toEqual(['delivered', null, 'delivered']);
  }
});

test('a failure changes nothing of a message that is sent again', () => {
  const failed = after(sent, report('failed'));
  const again = { ...failed, state: 'waiting', attempts: 0, reason: null, fence: 2 } as const;
  expect(settledBy(again, report('failed'))).toBeNull();
  expect(settledBy(again, report('sent'))).toBeNull();
  const { reported: _gone, ...rest } = again;
  const accepted = { ...rest, state: 'delivered', externalId: 'x2' } as const;
  expect(settledBy(accepted, report('failed'))).toBeNull();
  expect(settledBy(accepted, report('failed', 'x2'))).toMatchObject({ state: 'dead' });
});

test('a failure changes nothing of a message that the destination rejected', () => {
  const rejected = { ...unrecorded, state: 'dead', reason: 'destination_rejected:400' } as const;
  expect(settledBy(rejected, report('failed'))).toBeNull();
});
