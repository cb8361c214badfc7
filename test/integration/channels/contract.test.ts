// What every kind that sends messages keeps, against a stand-in of its destination: one arrival under `hold`, definite outcomes,
// bounded attempts, allowed addresses, and secrets that never come out.
import type { Channel } from '../../../src/channels/channel.ts';
import { channelKinds } from '../../../src/channels/registry.ts';
import { newId } from '../../../src/base/ids.ts';
import { newDelivery, type DeliveryOutcome } from '../../../src/domain/messages/delivery.ts';
import type { MessageRecord } from '../../../src/domain/messages/message.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { startTestDelivery } from '../../support/context/delivery.ts';
import { auditRows } from '../../support/context/audit-rows.ts';
import { createTestApi, secretKey, type TestApi } from '../../support/context/test-api.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { outgoingMessage as message } from '../../support/fixtures/outgoing-message.ts';
import {
  channelDestinations,
  type ChannelDestination,
} from '../../support/services/channel-destinations.ts';
import { loopbackRange } from '../../support/services/destination.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('channel_contract');
});
afterAll(() => api.close());

test('every kind that sends messages has a row here', () => {
  const outbound = Object.values(channelKinds).filter(({ outbound: sends }) => sends);
  expect(Object.keys(channelDestinations).toSorted()).toEqual(
    outbound.map(({ kind }) => kind).toSorted(),
  );
});

const registers = Object.fromEntries(
  Object.entries({
    phone: '+5511900000001',
    email: 'ana@example.com',
    'f:telegramChatId': '987650270',
  }).map(([name, value]) => [name, { value, stamp: '1' }]),
);

/** The kinds whose API answers that it takes no more for now, in a way that names the wait. */
const namesWait = new Set(['http', 'telegram', 'whatsapp']);

describe.each(Object.keys(channelDestinations) as (keyof typeof channelDestinations)[])(
  'the kind %s',
  (kind) => {
    const { outbound, settingsSchema }: Channel = channelKinds[kind];
    if (!outbound) throw new Error('The kind sends nothing.');
    const { idempotency } = outbound;
    let destination: ChannelDestination;
    beforeEach(async () => {
      destination = await channelDestinations[kind]();
    });
    afterEach(() => destination.close());

    const options = {
      allowedDestinations: loopbackRange,
      now: () => new Date('2026-01-06T12:00:00Z'),
    };
    const lastReplyAt = options.now();

    const deliver = (given: { allowed?: string[]; withinMs?: number } = {}) =>
      outbound.createDeliver({ ...options, allowedDestinations: given.allowed ?? loopbackRange })(
        message,
        destination.settings,
        { timeoutMs: given.withinMs ?? 60_000, lastReplyAt },
      );

    /** An attempt whose message arrives. On a busy machine a short one may end before; a longer one follows, to a new destination. */
    async function attemptThatArrives(how: 'drop' | 'hang' | 'endless'): Promise<DeliveryOutcome> {
      for (const withinMs of [1_000, 7_000, 60_000]) {
        destination.behave(how);
        const outcome = await deliver({ withinMs });
        if (destination.arrived().length > 0) return outcome;
        await destination.close();
        destination = await channelDestinations[kind]();
      }
      throw new Error('No message arrives.');
    }

    const addChannel = async (over: object = {}): Promise<string> => {
      const body = { name: kind, kind, settings: { ...destination.settings, ...over } };
      const { status, text, body: made } = await api.ask('POST', '/v1/admin/channels', { body });
      if (status !== 201) throw new Error(text);
      return made.data.id;
    };

    /** A message that was sent, by a process that died before it recorded the outcome. */
    async function aSentMessage(channelId: string): Promise<string> {
      const at = new Date();
      const [_id, contactId, chatId] = [newId(), newId(), newId()];
      const contacts = collectionOf(api.connection, 'contacts');
      const contact = { _id: contactId, channelId, registers, createdAt: at, updatedAt: at };
      await contacts.insertOne(contact);
      const messages = collectionOf<MessageRecord>(api.connection, 'messages');
      const common = {
        channelId,
        contactId,
        chatId,
        content: { type: 'text', message: 'olá' },
        date: at,
        createdAt: at,
      } as const;
      await messages.insertMany([
        // Opens the window of a kind that has one.
        { _id: newId(), webhookId: newId(), typeUser: 'client', ...common },
        { _id, typeUser: 'operator', ...common, delivery: newDelivery() },
      ]);
      const [claimed] = await api.stores.deliveries.claim([_id], { token: newId(), leaseMs: 1 });
      expect(claimed?.delivery.state).toBe('sending');
      const sent = { ...message, id: _id };
      const terms = { timeoutMs: 60_000, lastReplyAt };
      expect(
        await outbound?.createDeliver(options)(sent, destination.settings, terms),
      ).toMatchObject({
        kind: 'delivered',
      });
      return _id;
    }

    test.each(['hold', 'resend', 'default'] as const)(
      'a process that dies between sending and recording: %s',
      async (policy) => {
        const id = await aSentMessage(
          await addChannel(policy === 'default' ? {} : { onUnknown: policy }),
        );
        const dispatcher = startTestDelivery(api, { secretKeys: [secretKey] });
        try {
          const delivery = await waitForValue('the outcome', async () => {
            const found = (await api.stores.deliveries.get(id))?.delivery;
            return found?.state === 'delivered' || found?.state === 'dead' ? found : undefined;
          });
          const isHeld = policy === 'hold' || (policy === 'default' && idempotency !== 'native');
          const reason = isHeld ? 'delivery_unknown' : null;
          expect([delivery.state, delivery.reason]).toEqual([
            reason === null ? 'delivered' : 'dead',
            reason,
          ]);
          expect(destination.arrived()).toHaveLength(reason === null ? 2 : 1);
          if (idempotency === 'native')
            expect(new Set(destination.arrived())).toEqual(new Set([id]));
        } finally {
          await dispatcher.close();
        }
      },
    );

    test.each(['drop', 'hang'] as const)('an answer that is lost (%s) is unknown', async (how) => {
      const outcome = await attemptThatArrives(how);
      expect(outcome).toMatchObject({ kind: 'retry', isUnknown: true, scope: 'channel' });
      expect(destination.arrived()).toHaveLength(1);
    });

    test('an answer without an end is cut, and the attempt ends', async () => {
      const outcome = await attemptThatArrives('endless');
      const isAnswered = outcome.kind === 'delivered';
      expect(isAnswered || (outcome.kind === 'retry' && outcome.isUnknown)).toBe(true);
    });

    test('a destination that takes no more for now blames no message and no credentials', async () => {
      destination.behave('busy');
      const outcome = await deliver();
      expect(outcome).toMatchObject({ kind: 'retry', isUnknown: false });
      if (outcome.kind !== 'retry') return;
      expect(outcome.scope).toBe(namesWait.has(kind) ? 'rate' : 'message');
      expect(outcome.retryAfterMs).toBe(namesWait.has(kind) ? 7_000 : undefined);
    });

    test('a destination that fails is about the channel', async () => {
      destination.behave('broken');
      expect(await deliver()).toMatchObject({ kind: 'retry', isUnknown: false, scope: 'channel' });
    });

    test('a redirect is not followed', async () => {
      destination.behave('redirect');
      expect(await deliver()).toMatchObject({ scope: 'channel' });
      expect(destination.followed()).toBe(0);
    });

    test('an address that is not allowed is neither saved nor reached', async () => {
      const refused: DeliveryOutcome = {
        kind: 'dead',
        reason: 'destination_refused',
        scope: 'channel',
      };
      expect(await deliver({ allowed: [] })).toEqual(refused);
      const probe = outbound.createProbe({ ...options, allowedDestinations: [] });
      expect(await probe(destination.settings, { timeoutMs: 60_000 })).toEqual(refused);
      expect(
        outbound.validateSettings(destination.settings, { ...options, allowedDestinations: [] }),
      ).not.toEqual([]);
      expect(outbound.validateSettings(destination.settings, options)).toEqual([]);
      expect(destination.arrived()).toEqual([]);
    });

    test('a probe proves the connection and sends nothing', async () => {
      const probe = outbound.createProbe(options);
      expect(await probe(destination.settings, { timeoutMs: 60_000 })).toEqual({
        kind: 'delivered',
      });
      expect(destination.arrived()).toEqual([]);
      await destination.close();
      const gone = { kind: 'retry', scope: 'channel', isUnknown: false };
      expect(await probe(destination.settings, { timeoutMs: 60_000 })).toMatchObject(gone);
      expect(await deliver()).toMatchObject(gone);
      destination = await channelDestinations[kind]();
    });

    test('its secrets are marked, and are in no answer, log, audit row or stored document', async () => {
      const properties = settingsSchema.properties as Record<string, { writeOnly?: boolean }>;
      const given = Object.entries(destination.settings).find(
        ([, value]) => value === destination.secret,
      );
      expect(properties[given?.[0] ?? '']).toMatchObject({ writeOnly: true });
      const id = await addChannel();
      const path = `/v1/admin/channels/${id}`;
      const texts: string[] = [];
      for (const how of ['work', 'broken', 'redirect'] as const) {
        destination.behave(how);
        for (const action of ['test', 'probe']) {
          texts.push((await api.ask('POST', `${path}/${action}`)).text);
        }
      }
      const changed = { name: 'Renamed', settings: { [given?.[0] ?? '']: destination.secret } };
      texts.push((await api.ask('PATCH', path, { body: changed })).text);
      for (const read of [path, '/v1/admin/channels', '/v1/admin/channels/kinds']) {
        texts.push((await api.ask('GET', read)).text);
      }
      texts.push(JSON.stringify(await auditRows(api, { targetId: id })), ...api.lines);
      texts.push(JSON.stringify(await api.connection.collection('channels').find({}).toArray()));
      expect(texts.length).toBeGreaterThan(10);
      expect(texts.filter((text) => text.includes(destination.secret))).toEqual([]);
      expect(outbound.originOf(destination.settings)).toEqual(expect.stringContaining('127.0.0.1'));
    });
  },
);
