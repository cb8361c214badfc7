// Tracing as a process starts it, with the exporter of OpenTelemetry and a collector on loopback.
import { pino } from 'pino';
import { startOtlpTracing } from '../../../../src/base/observability/otlp.ts';
import {
  encodeContext,
  startRequestSpan,
  type TraceContext,
  type Tracing,
} from '../../../../src/base/observability/tracing.ts';
import { startSetSpans } from '../../../../src/processing/set-spans.ts';
import { waitForValue } from '../../../support/processes/client.ts';
import {
  answerStatus,
  startOtlpReceiver,
  type OtlpReceiver,
} from '../../../support/services/otlp-receiver.ts';

jest.setTimeout(60_000);

const variables = {
  OTEL_EXPORTER_OTLP_HEADERS: 'x-team=inlet,authorization=Bearer%20for-the-collector',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  OTEL_SERVICE_NAME: 'inlet-of-the-test',
};
let receiver: OtlpReceiver;
let lines: { level: string; msg: string; err?: unknown }[];
beforeEach(async () => {
  receiver = await startOtlpReceiver();
  lines = [];
  Object.assign(process.env, variables, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
});
afterEach(async () => {
  for (const name of [...Object.keys(variables), 'OTEL_EXPORTER_OTLP_ENDPOINT'])
    delete process.env[name];
  await receiver.close();
});

const logger = () =>
  pino(
    { base: null, formatters: { level: (level) => ({ level }) } },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );

const start = (ratio = 1, isParentBased = true): Tracing =>
  startOtlpTracing({
    sampling: { ratio, isParentBased },
    role: 'worker',
    version: '1.2.3',
    logger: logger(),
  });

const outsider = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const traceparentWith = (flags: string) => `00-${outsider.traceId}-${outsider.spanId}-${flags}`;
const receive = (tracing: Tracing, traceparent?: string) =>
  startRequestSpan(
    tracing,
    { method: 'POST', headers: { traceparent } },
    { name: 'receive', route: '/v1/webhook/:keyapi' },
  );

test('a span is sent with the resource and the headers that the variables name', async () => {
  const tracing = start();
  receive(tracing).end();
  await tracing.close();
  expect(receiver.exports).toEqual([
    expect.objectContaining({
      path: '/v1/traces',
      headers: expect.objectContaining({
        'content-type': 'application/x-protobuf',
        'x-team': 'inlet',
        authorization: 'Bearer for-the-collector',
      }),
    }),
  ]);
  const [span] = receiver.spans();
  expect(span?.resource).toMatchObject({
    'service.name': 'inlet-of-the-test',
    'service.version': '1.2.3',
    'deployment.environment.name': 'test',
    'inlet.role': 'worker',
  });
  expect(span).toMatchObject({
    name: 'receive',
    parentId: '',
    attributes: { 'http.request.method': 'POST', 'http.route': '/v1/webhook/:keyapi' },
  });
});

test.each([
  ['01', 0, 0],
  ['00', 1, 1],
])(
  'a sender’s flags %s do not decide: the ratio %d samples %d spans',
  async (flags, ratio, spans) => {
    const tracing = start(ratio);
    const span = receive(tracing, traceparentWith(flags));
    expect(span.context === null).toBe(spans === 0);
    span.end();
    await tracing.close();
    const sent = receiver.spans();
    expect(sent).toHaveLength(spans);
    for (const one of sent) {
      expect(one.traceId).not.toBe(outsider.traceId);
      expect(one).toMatchObject({ parentId: '', links: [outsider] });
    }
  },
);

const claimed = (id: string, trace?: TraceContext) =>
  ({ _id: id, webhookId: 'w', attempts: 1, trace }) as never;
const stored = (digit: string) =>
  encodeContext({ traceId: digit.repeat(32), spanId: digit.repeat(16), isSampled: true });

test('a set has a span that links the traces of its events, and each event one in its own trace', async () => {
  const tracing = start(0);
  const set = startSetSpans(tracing, [
    claimed('1', stored('1')),
    claimed('2'),
    claimed('3', Buffer.from('from another release')),
    claimed('4', stored('4')),
  ]);
  const finish = (index: number, outcome: object) =>
    ({ event: set.events[index], outcome, delayMs: 0 }) as never;
  set.finished([
    finish(0, { kind: 'done' }),
    finish(1, { kind: 'done' }),
    finish(2, { kind: 'dead', reason: 'required_missing:contact.phone' }),
  ]);
  set.end();
  await tracing.close();
  const spans = receiver.spans();
  const ofSet = spans.find(({ name }) => name === 'process set');
  const reference = (digit: string) => ({ traceId: digit.repeat(32), spanId: digit.repeat(16) });
  expect(ofSet).toMatchObject({
    parentId: '',
    links: [reference('1'), reference('4')],
    attributes: { 'messaging.batch.message_count': 4 },
  });
  const { traceId, spanId } = ofSet ?? {};
  const ofEvents = spans.filter(({ name }) => name === 'process event');
  expect(ofEvents).toEqual([
    expect.objectContaining({
      traceId: '1'.repeat(32),
      parentId: '1'.repeat(16),
      links: [{ traceId, spanId }],
      isFailed: false,
      attributes: expect.objectContaining({ 'inlet.event.id': '1', 'inlet.outcome': 'done' }),
    }),
    expect.objectContaining({
      traceId: '4'.repeat(32),
      parentId: '4'.repeat(16),
      attributes: expect.objectContaining({ 'inlet.event.id': '4', 'inlet.outcome': 'unfinished' }),
    }),
  ]);
  expect(spans).toHaveLength(3);
  // What an event causes continues its span.
  expect(set.events[0]?.trace?.toString('hex')).toBe(`${'1'.repeat(32)}${ofEvents[0]?.spanId}01`);
  expect(set.events[1]?.trace).toBeUndefined();
});

test('a sampler that does not follow the parent leaves out the set too', async () => {
  const tracing = start(0, false);
  const set = startSetSpans(tracing, [claimed('1', stored('1'))]);
  expect(set.events[0]?.trace).toEqual(stored('1'));
  set.end();
  await tracing.close();
  expect(receiver.spans()).toEqual([]);
});

test('a credential in an attribute is masked', async () => {
  const tracing = start();
  const span = receive(tracing);
  span.set('inlet.webhook.id', `inlet_wk_${'x'.repeat(43)}`);
  span.end();
  await tracing.close();
  expect(receiver.spans()[0]?.attributes['inlet.webhook.id']).toBe('inlet_wk_[secret]');
});

/** The exporter sends as soon as it has this many. */
const batch = 512;
const record = (tracing: Tracing, count: number) => {
  for (let n = 0; n < count; n += 1) receive(tracing).end();
};

test('failures are logged once for each outage, and the spans of the outage are dropped', async () => {
  const tracing = start();
  const sent = async (count: number) => {
    record(tracing, batch);
    await waitForValue(`${count} exports`, () => receiver.exports.length >= count || undefined);
  };
  receiver.answerWith(answerStatus(403));
  await sent(1);
  await sent(2);
  await waitForValue('a warning', () => lines.length > 0 || undefined);
  receiver.answerWith(answerStatus(200));
  await sent(3);
  await waitForValue('its end', () => lines.length > 1 || undefined);
  receiver.answerWith(answerStatus(401));
  await sent(4);
  await tracing.close();
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', 'traces.unavailable'],
    ['info', 'traces.available'],
    ['warn', 'traces.unavailable'],
  ]);
});

test('an endpoint that hangs keeps a bounded number of spans, and ends neither spans nor the process later', async () => {
  const tracing = start();
  const held: (() => void)[] = [];
  receiver.answerWith((response) => void held.push(() => response.writeHead(200).end()));
  record(tracing, batch);
  await waitForValue('the first export', () => held.length === 1 || undefined);
  record(tracing, 20_000);
  await tracing.close();
  expect(lines.map(({ msg }) => msg)).toEqual(['traces.unavailable']);
  for (const answer of held) answer();
  const sent = receiver.spans().length;
  expect(sent).toBeGreaterThan(batch);
  expect(sent).toBeLessThanOrEqual(batch + 2_048);
});
