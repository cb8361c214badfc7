// The whatsapp channel against a stand-in of the Cloud API: what is sent, the 24-hour window, and the outcome of each answer.
import { createDeliverers, channelKinds } from '../../../src/channels/registry.ts';
import { codeRanges } from '../../../src/channels/whatsapp/api-errors.ts';
import type { DeliveryOutcome } from '../../../src/domain/messages/delivery.ts';
import { outgoingMessage } from '../../support/fixtures/outgoing-message.ts';
import { loopbackRange } from '../../support/services/destination.ts';
import {
  accessToken,
  phoneNumberId,
  startWhatsappCloud,
  type WhatsappCloud,
} from '../../support/destinations/whatsapp-cloud.ts';

const hourMs = 3_600_000;
const now = new Date('2026-01-06T12:00:00Z');
let cloud: WhatsappCloud;
beforeEach(async () => {
  cloud = await startWhatsappCloud({ now: () => now });
});
afterEach(() => cloud.close());

const message = {
  ...outgoingMessage,
  contact: {
    ...outgoingMessage.contact,
    name: 'Ana\n Exemplo',
    email: null,
    fields: { city: 'São Paulo' },
  },
};

const options = { allowedDestinations: loopbackRange, now: () => now };
const settings = () => ({ phoneNumberId, accessToken, apiUrl: cloud.apiUrl });

type Given = {
  readonly settings?: object;
  readonly message?: object;
  readonly lastReplyAt?: Date | undefined;
  readonly withinMs?: number;
};

async function deliver(given: Given = {}): Promise<DeliveryOutcome> {
  const { whatsapp } = createDeliverers(options);
  const lastReplyAt = 'lastReplyAt' in given ? given.lastReplyAt : now;
  const outcome = await whatsapp?.(
    { ...message, ...given.message },
    { ...settings(), ...given.settings },
    { timeoutMs: given.withinMs ?? 60_000, lastReplyAt },
  );
  if (!outcome) throw new Error('There is no such kind.');
  return outcome;
}

const final = (detail: string | number) => ({
  kind: 'dead',
  reason: `destination_rejected:${detail}`,
  scope: 'message',
});
const template = { templateName: 'follow_up', templateLanguage: 'pt_BR' };
const ago = (ms: number) => new Date(+now - ms);

test('a message within the window is sent as text, with its id, to the digits of the phone', async () => {
  cloud.replyFrom('+5511900000001');
  const outcome = await deliver();
  expect(outcome).toEqual({
    kind: 'delivered',
    externalId: cloud.sent[0]?.id,
    reported: 'accepted',
  });
  expect(cloud.sent.map(({ body }) => body)).toEqual([
    {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '5511900000001',
      type: 'text',
      text: { preview_url: false, body: 'olá' },
      biz_opaque_callback_data: message.id,
    },
  ]);
});

test.each<[string, Date | undefined]>([
  ['wrote 23 h 59 min 30 s ago', ago(24 * hourMs - 30_000)],
  ['wrote a day ago', ago(24 * hourMs)],
  ['never wrote, which WhatsApp knows,', undefined],
])('without a template nothing is sent to a contact who %s', async (_who, lastReplyAt) => {
  const closed = { kind: 'dead', reason: 'window_closed', scope: 'message' };
  expect(await deliver({ lastReplyAt })).toEqual(closed);
  expect(cloud.sent).toEqual([]);
});

test('a template is sent outside of the window only, with the configured values on one line', async () => {
  cloud.addTemplate({ name: 'follow_up', language: 'pt_BR', placeholders: 4 });
  cloud.replyFrom('+5511900000001');
  const values = 'contact.name, text,contact.fields.city, contact.email|nenhum ';
  const set = { ...template, templateValues: values };
  const sending = { settings: set, message: { content: { type: 'text', text: 'um\n\tdois' } } };
  expect(await deliver({ ...sending, lastReplyAt: ago(23 * hourMs) })).toMatchObject({
    kind: 'delivered',
  });
  for (const lastReplyAt of [ago(25 * hourMs), undefined]) {
    expect(await deliver({ ...sending, lastReplyAt })).toMatchObject({ kind: 'delivered' });
  }
  expect(cloud.sent.map(({ type }) => type)).toEqual(['text', 'template', 'template']);
  expect(cloud.sent[1]?.body.template).toEqual({
    name: 'follow_up',
    language: { code: 'pt_BR' },
    components: [
      {
        type: 'body',
        parameters: ['Ana Exemplo', 'um dois', 'São Paulo', 'nenhum'].map((text) => ({
          type: 'text',
          text,
        })),
      },
    ],
  });
});

test('named placeholders have their names, and a template without placeholders no values', async () => {
  cloud.addTemplate({ name: 'follow_up', language: 'pt_BR', placeholders: 1 });
  cloud.addTemplate({ name: 'plain', language: 'pt_BR', placeholders: 0 });
  const named = { ...template, templateValues: 'customer=contact.name' };
  const given = { lastReplyAt: undefined };
  expect(await deliver({ ...given, settings: named })).toMatchObject({ kind: 'delivered' });
  const plain = { ...template, templateName: 'plain' };
  expect(await deliver({ ...given, settings: plain })).toMatchObject({ kind: 'delivered' });
  expect(cloud.sent[0]?.body.template).toMatchObject({
    components: [{ parameters: [{ parameter_name: 'customer', text: 'Ana Exemplo' }] }],
  });
  expect(cloud.sent[1]?.body.template).toMatchObject({ components: [] });
});

test('a value that the contact does not have and that has no default is final', async () => {
  const set = { ...template, templateValues: 'contact.email' };
  expect(await deliver({ settings: set, lastReplyAt: undefined })).toEqual(
    final('no_template_value'),
  );
  expect(cloud.sent).toEqual([]);
});

test.each<[string, object, string]>([
  ['a contact without a phone', { contact: { ...message.contact, phone: null } }, 'no_phone'],
  ['a test without a phone', { contact: null, test: true }, 'no_test_phone'],
  ['an empty text', { content: { type: 'text', text: ' ' } }, 'no_text'],
  [
    'a text of 4,097 characters',
    { content: { type: 'text', text: 'é'.repeat(4_097) } },
    'text_too_long',
  ],
  ['a file', { content: { type: 'image', text: 'x', files: [{ id: 'f' }] } }, 'no_media'],
])('%s is final, and nothing is sent', async (_what, changed, reason) => {
  expect(await deliver({ message: changed })).toEqual(final(reason));
  expect(cloud.sent).toEqual([]);
});

test('a test goes to the phone of the settings', async () => {
  cloud.replyFrom('+5511900000009');
  const given = { message: { contact: null, test: true }, lastReplyAt: undefined };
  const set = { testPhone: '+5511900000009' };
  expect(await deliver({ ...given, settings: set })).toMatchObject({ kind: 'delivered' });
  expect(cloud.sent[0]?.to).toBe('5511900000009');
});

/** An attempt whose message is sent. On a busy machine a short one may end before; a longer one follows, to a new stand-in. */
async function attemptThatIsSent(how: 'drop' | 'hang'): Promise<DeliveryOutcome> {
  for (const withinMs of [700, 7_000, 60_000]) {
    cloud.replyFrom('+5511900000001');
    cloud.behave(how);
    const outcome = await deliver({ withinMs });
    if (cloud.sent.length > 0) return outcome;
    await cloud.close();
    cloud = await startWhatsappCloud({ now: () => now });
  }
  throw new Error('No message is sent.');
}

test.each(['drop', 'hang'] as const)('an answer that is lost (%s) is unknown', async (how) => {
  expect(await attemptThatIsSent(how)).toMatchObject({ kind: 'retry', isUnknown: true });
  expect(cloud.sent).toHaveLength(1);
});

test('without a connection nothing was sent', async () => {
  await cloud.close();
  expect(await deliver()).toMatchObject({ kind: 'retry', isUnknown: false, scope: 'channel' });
});

test('an accepted message without a readable answer is delivered, without an id', async () => {
  cloud.behave({ status: 200 });
  expect(await deliver()).toEqual({ kind: 'delivered', reported: 'accepted' });
});

const outcomes = {
  channel: { kind: 'retry', scope: 'channel' },
  service: { kind: 'retry', scope: 'channel' },
  rate: { kind: 'retry', scope: 'rate' },
  recipient_rate: { kind: 'retry', scope: 'message' },
  window: { kind: 'dead', reason: 'window_closed', scope: 'message' },
  message: { kind: 'dead', scope: 'message' },
} as const;

test.each(codeRanges)('the error $from is treated as $treatment', async (range) => {
  const { from, treatment, waitSeconds } = range;
  cloud.behave({ code: from });
  const outcome = await deliver();
  expect(outcome).toMatchObject(outcomes[treatment]);
  const retryAfterMs = waitSeconds === undefined ? undefined : waitSeconds * 1_000;
  expect(outcome).toHaveProperty('reason', expect.stringMatching(/^window_closed$|:\d+$/));
  if (outcome.kind === 'retry') expect(outcome).toMatchObject({ isUnknown: false });
  if (outcome.kind === 'retry') expect(outcome.retryAfterMs).toBe(retryAfterMs);
});

test.each<[number, object]>([
  [401, { kind: 'retry', scope: 'channel' }],
  [404, { kind: 'retry', scope: 'channel' }],
  [429, { kind: 'retry', scope: 'rate', retryAfterMs: 7_000 }],
  [302, { kind: 'retry', scope: 'channel' }],
  [400, { kind: 'dead', scope: 'message' }],
  [500, { kind: 'retry', scope: 'channel' }],
  [503, { kind: 'retry', scope: 'channel', retryAfterMs: 7_000 }],
])('an answer of %i with an unknown code is treated by its status', async (status, outcome) => {
  cloud.behave({ status, code: 999_999, headers: { 'retry-after': '7' } });
  expect(await deliver()).toMatchObject(outcome);
});

test.each([502, 504])(
  'an answer of %i without a code is that of a gateway, so the result is unknown',
  async (status) => {
    cloud.behave({ status });
    expect(await deliver()).toMatchObject({ kind: 'retry', scope: 'channel', isUnknown: true });
    cloud.behave({ status, code: 2 });
    expect(await deliver()).toMatchObject({ kind: 'retry', scope: 'channel', isUnknown: false });
  },
);

test('a wrong token or number is about the channel, in a message and in a probe', async () => {
  const probe = channelKinds.whatsapp.outbound?.createProbe(options);
  const about = (code: number) => ({
    kind: 'retry',
    reason: `destination_unavailable:${code}`,
    scope: 'channel',
  });
  for (const [changed, code] of [
    [{ accessToken: 'other' }, 190],
    [{ phoneNumberId: '99999' }, 100],
  ] as const) {
    const set = { ...settings(), ...changed };
    expect(await deliver({ settings: changed })).toMatchObject(about(code));
    expect(await probe?.(set, { timeoutMs: 60_000 })).toMatchObject(about(code));
  }
  expect(await probe?.(settings(), { timeoutMs: 60_000 })).toEqual({ kind: 'delivered' });
  expect(cloud.sent).toEqual([]);
});
