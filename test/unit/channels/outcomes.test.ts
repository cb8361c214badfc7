// What the code of a connection that gave no answer means for the attempt and for the health of the channel.
import { notAnswered } from '../../../src/channels/outcomes.ts';

test.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])(
  'with %s nothing was sent and the destination is not to blame, so the attempt does not count',
  (code) => {
    const reason = `destination_unavailable:${code}`;
    const outcome = { kind: 'retry', reason, isUnknown: false };
    expect(notAnswered(code, false)).toEqual({ ...outcome, free: 'inlet' });
    expect(notAnswered(code, true)).toEqual({ ...outcome, scope: 'channel', isUnknown: true });
  },
);

test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'timeout'])('with %s it counts', (code) => {
  expect(notAnswered(code, false)).toEqual({
    kind: 'retry',
    reason: `destination_unavailable:${code}`,
    scope: 'channel',
    isUnknown: false,
  });
});
