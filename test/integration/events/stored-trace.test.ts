// The reference to a span that an event and a delivery store.
import { systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { startOtlpTracing } from '../../../src/base/observability/otlp.ts';
import { encodeContext, type TraceContext } from '../../../src/base/observability/tracing.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { MessageRecord } from '../../../src/domain/messages/message.ts';
import { createEffectiveMappings } from '../../../src/receiving/recording/effective-mappings.ts';
import { createRecorder } from '../../../src/receiving/recording/recorder.ts';
import { recordEvent } from '../../../src/receiving/recording/record-event.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { aChannel } from '../../support/context/builders.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { startOtlpReceiver } from '../../support/services/otlp-receiver.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('stored_trace');
});
afterAll(() => context.close());

const reference = (digit: string): TraceContext =>
  encodeContext({ traceId: digit.repeat(32), spanId: digit.repeat(16), isSampled: true });

const events = () => collectionOf<EventRecord>(context.connection, 'events');
const read = (id: string) => events().findOne({ _id: id });

/** Records a payload like the receiver. Returns the id of its event. */
async function receive(
  webhook: Awaited<ReturnType<TestContext['addWebhook']>>,
  payload: object,
  trace?: TraceContext,
): Promise<string> {
  const deps = {
    mappings: createEffectiveMappings(context.newResources().bodies),
    recorder: createRecorder({ ...context.stores, queue: { hint: () => undefined } }),
    clock: systemClock,
  };
  const body = Buffer.from(JSON.stringify(payload));
  const request = { body, contentType: 'application/json', headers: {}, query: {} };
  const decoded = { webhook, request, body: payload, trace };
  return (await recordEvent(deps, decoded, { receivedAt: new Date() })).eventId;
}

const lead = (id: string) => ({
  id,
  text: 'hello',
  lead: { name: 'Ana', phone: '+55 11 98765-0001' },
});

test('only an event of a traced request stores a reference, of 25 bytes', async () => {
  const webhook = await context.addWebhook();
  const traced = await receive(webhook, lead(newId()), reference('1'));
  const untraced = await receive(webhook, lead(newId()));
  expect((await read(traced))?.trace).toEqual(reference('1'));
  expect(reference('1')).toHaveLength(25);
  expect(await read(untraced)).not.toHaveProperty('trace');
});

test.each([
  ['traced', reference('2'), reference('2')],
  ['not traced', undefined, undefined],
])('an event that a resend revives continues the resend, which is %s', async (_how, sent, kept) => {
  const webhook = await context.addWebhook();
  const payload = lead(newId());
  const id = await receive(webhook, payload, reference('1'));
  expect(await receive(webhook, payload, reference('3'))).toBe(id);
  expect((await read(id))?.trace).toEqual(reference('1'));
  await events().updateOne({ _id: id }, { $set: { state: 'dead' }, $unset: { open: '' } });
  expect(await receive(webhook, payload, sent)).toBe(id);
  expect(await read(id)).toMatchObject({ state: 'received', generation: 1 });
  expect((await read(id))?.trace).toEqual(kept);
});

test('while tracing is on, events are processed whatever they store', async () => {
  const receiver = await startOtlpReceiver();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url;
  const sampling = { ratio: 1, isParentBased: true };
  const logger = silentLogger();
  const tracing = startOtlpTracing({ sampling, role: 'worker', version: '1', logger });
  try {
    const settings = { url: 'https://destination.example/' };
    const channelId = await aChannel(context, { kind: 'http', settings });
    const webhook = await context.addWebhook(undefined, channelId);
    const stored = [reference('1'), Buffer.from('of another release'), 'text', 7, null, undefined];
    const ids: string[] = [];
    for (const trace of stored) {
      const id = await receive(webhook, lead(newId()));
      if (trace !== undefined)
        await events().updateOne({ _id: id }, { $set: { trace: trace as never } });
      ids.push(id);
    }
    await context.newProcessor({ tracing }).processEvents(ids);
    for (const id of ids) expect(await read(id)).toMatchObject({ state: 'done', attempts: 1 });
    await tracing.close();
    const spans = receiver.spans().filter(({ name }) => name === 'process event');
    expect(spans.map(({ parentId }) => parentId)).toEqual(['1'.repeat(16)]);
    // The delivery continues the span of the processing.
    const messages = collectionOf<MessageRecord>(context.connection, 'messages');
    const ofFirst = await messages.findOne({ _id: ids[0] ?? '' });
    expect(ofFirst?.delivery?.trace?.toString('hex')).toBe(
      `${'1'.repeat(32)}${spans[0]?.spanId}01`,
    );
    const ofLast = await messages.findOne({ _id: ids.at(-1) ?? '' });
    expect(ofLast?.delivery).not.toHaveProperty('trace');
  } finally {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
    await receiver.close();
  }
});
