import {
  decodeContext,
  encodeContext,
  noSpan,
  noTracing,
  parseTraceparent,
  startRequestSpan,
  traceLabelOf,
  traceparentOf,
} from '../../../../src/base/observability/tracing.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const zeros = (length: number) => '0'.repeat(length);

test.each([true, false])(
  'a stored reference is read as it was written (sampled: %s)',
  (isSampled) => {
    const reference = { traceId, spanId, isSampled };
    const stored = encodeContext(reference);
    expect(stored).toHaveLength(25);
    expect(decodeContext(stored)).toEqual(reference);
    expect(traceparentOf(stored)).toBe(`00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`);
    expect(parseTraceparent(traceparentOf(stored))).toEqual(reference);
  },
);

test.each([
  ['nothing', undefined],
  ['null', null],
  ['no bytes', Buffer.alloc(0)],
  ['too few bytes', Buffer.alloc(24, 1)],
  ['too many bytes, of another release', Buffer.alloc(26, 1)],
  ['no trace id', Buffer.from(`${zeros(32)}${spanId}01`, 'hex')],
  ['no span id', Buffer.from(`${traceId}${zeros(16)}01`, 'hex')],
])('a stored reference is ignored when it has %s', (_what, stored) => {
  expect(decodeContext(stored)).toBeNull();
});

test('a stored reference that is not bytes is ignored', () => {
  for (const stored of ['x'.repeat(25), 25, {}, { length: 25 }])
    expect(decodeContext(stored as never)).toBeNull();
});

test.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  // Only the lowest flag has a meaning here.
  [`00-${traceId}-${spanId}-03`, true],
  [`00-${traceId}-${spanId}-02`, false],
  // A later version may have more fields.
  [`01-${traceId}-${spanId}-01-more`, true],
])('the sender’s %s is read', (header, isSampled) => {
  expect(parseTraceparent(header)).toEqual({ traceId, spanId, isSampled });
});

test.each([
  ['', 'empty'],
  ['00', 'cut'],
  [`ff-${traceId}-${spanId}-01`, 'a forbidden version'],
  [`00-${traceId}-${spanId}-01-more`, 'fields that version 00 does not have'],
  [`00-${traceId}-${spanId}`, 'no flags'],
  [`00-${traceId}-${spanId}-1`, 'short flags'],
  [`00-${traceId}-${spanId}-0g`, 'flags that are not hex'],
  [`00-${traceId.toUpperCase()}-${spanId}-01`, 'upper case'],
  [`00-${zeros(32)}-${spanId}-01`, 'no trace id'],
  [`00-${traceId}-${zeros(16)}-01`, 'no span id'],
  [`00-${traceId.slice(1)}-${spanId}-01`, 'a short trace id'],
  [`00-${traceId}0-${spanId}-01`, 'a long trace id'],
  [` 00-${traceId}-${spanId}-01`, 'a blank'],
  [`00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`, 'two headers'],
  [`01-${traceId}-${spanId}-01-${'x'.repeat(300)}`, 'too long'],
  [undefined, 'absent'],
  [[`00-${traceId}-${spanId}-01`], 'a list'],
])('the malformed header %j is ignored: %s', (header: unknown, _why) => {
  expect(parseTraceparent(header)).toBeNull();
});

test('while tracing is off, every span is the same object and no request is read', () => {
  const unreadable = {
    get method(): string {
      throw new Error('The method was read.');
    },
    get headers(): never {
      throw new Error('The headers were read.');
    },
  };
  const named = { name: 'receive', route: '/v1/webhook/:keyapi' } as const;
  expect(startRequestSpan(noTracing, unreadable, named)).toBe(noSpan);
  expect(noTracing.start('deliver', { kind: 'client' })).toBe(noSpan);
  expect(noSpan.context).toBeNull();
});

test('an exemplar names the trace of a stored reference, and nothing else', () => {
  const stored = encodeContext({ traceId, spanId, isSampled: true });
  expect(traceLabelOf(stored)).toEqual({ trace_id: traceId });
  for (const other of [null, undefined, Buffer.from('x')]) expect(traceLabelOf(other)).toEqual({});
});
