// Promise 5: an event that cannot be processed becomes a dead letter whose reason a person can act on, and can be sent
// through again once its cause is mended, without repeating effects.
import type { MappingDocument } from '../../src/domain/mapping.ts';
import { leadMapping } from '../support/world.ts';
import { createDeployment, type Deployment } from '../support/roles.ts';
import type { Event, List, Webhook } from '../support/client.ts';

let inlet: Deployment;
let webhook: Webhook;
beforeAll(async () => {
  inlet = await createDeployment('bounded');
  await inlet.start('server');
  await inlet.start('worker');
  webhook = await inlet.client.addActiveWebhook(misread);
}, 90_000);
afterAll(() => inlet.close());

// The producer says `lead.phone`, and this mapping reads another place.
const misread: MappingDocument = {
  ...leadMapping,
  contact: { phone: { path: 'person.phone', required: true } },
};

const lead = (id: string) => ({
  id,
  at: '2026-01-06T12:00:00Z',
  text: `hello ${id}`,
  lead: { name: 'Ana', phone: '+55 11 90000-0001' },
});

const replay = (id: string) => inlet.client.ask<Event>('POST', `/v1/admin/events/${id}/replay`, {});
const messages = () => inlet.db.collection('messages').countDocuments();

test('what a mapping cannot read is a dead letter, found by state and reason, and names the place', async () => {
  const { data } = await inlet.client.deliver(webhook.key, lead('e1'));
  const event = await inlet.client.settled(data.eventId ?? '');
  expect(event).toMatchObject({ state: 'dead', reason: 'required_missing:contact.phone' });
  const path = '/v1/admin/events?state=dead&reason=required_missing:contact.phone';
  const { results } = await inlet.client.get<List<Event>>(path);
  expect(results.map(({ id }) => id)).toEqual([event.id]);
  expect(await messages()).toBe(0);
}, 60_000);

test('replayed before anything was mended it is dead again, and still without effects', async () => {
  const [dead] = (await inlet.client.get<List<Event>>('/v1/admin/events?state=dead')).results;
  const id = dead?.id ?? '';
  expect((await replay(id)).status).toBe(200);
  expect(await inlet.client.settled(id)).toMatchObject({ state: 'dead' });
  const { timeline } = await inlet.client.event(id);
  expect(timeline.filter(({ state }) => state === 'dead')).toHaveLength(2);
  expect(await messages()).toBe(0);
}, 60_000);

test('replayed after the mapping was mended it has its effects, once', async () => {
  const version = await inlet.client.activate(webhook.id, leadMapping);
  const [dead] = (await inlet.client.get<List<Event>>('/v1/admin/events?state=dead')).results;
  const id = dead?.id ?? '';
  const answers = await Promise.all([replay(id), replay(id), replay(id)]);
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409']);
  const done = await inlet.client.settled(id);
  expect(done).toMatchObject({ state: 'done', reason: null, mappingVersion: version });
  expect(done.effects).not.toBeNull();
  expect(await messages()).toBe(1);

  const again = await replay(id);
  expect(again.status).toBe(409);
  expect(again.data).toMatchObject({ code: 'invalid_transition', state: 'done' });
  const resent = await inlet.client.deliver(webhook.key, lead('e1'));
  expect(resent.data).toMatchObject({ eventId: id, duplicate: true });
  expect(await messages()).toBe(1);
}, 60_000);

test('attempts are bounded: an event whose attempts are spent is dead, and says so', async () => {
  const { key, id } = await inlet.client.addActiveWebhook(leadMapping);
  await inlet.client.post(`/v1/admin/webhooks/${id}/pause`);
  const { data } = await inlet.client.deliver(key, lead('e2'));
  expect(data.mode).toBe('held');
  // As if eight workers had died over it, and a ninth now.
  await inlet.db.collection<{ _id: string }>('events').updateOne(
    { _id: data.eventId ?? '' },
    {
      $set: {
        state: 'processing',
        open: true,
        attempts: 9,
        dueAt: new Date(0),
        nextAt: new Date(0),
      },
    },
  );
  expect(await inlet.client.settled(data.eventId ?? '')).toMatchObject({
    state: 'dead',
    reason: 'attempts_spent',
  });
}, 60_000);
