// Promise 5: an event that cannot be processed becomes a dead letter with an actionable reason. It can be replayed once
// the cause is fixed, without repeated effects.
import { randomBytes } from 'node:crypto';
import { newId } from '../../src/base/ids.ts';
import type { SetRecord } from '../../src/store/sets/sets.ts';
import type { MappingDocument } from '../../src/domain/mappings/mapping.ts';
import type { InletError } from '../../client/client.ts';
import { leadMapping } from '../support/context/test-context.ts';
import { createDeployment, type Deployment } from '../support/processes/roles.ts';
import type { Webhook } from '../support/processes/client.ts';

let inlet: Deployment;
let webhook: Webhook;
beforeAll(async () => {
  inlet = await createDeployment('bounded');
  await inlet.start('server');
  await inlet.start('worker');
  webhook = await inlet.client.addActiveWebhook(misread);
});
afterAll(() => inlet.close());

// The producer sends `lead.phone`, and this mapping reads another path.
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

const replay = (id: string) => inlet.client.call('replayEvent', { params: { id } });
async function deadId(): Promise<string> {
  const { results } = await inlet.client.call('listEvents', { query: { state: ['dead'] } });
  return results[0]?.id ?? '';
}
const messages = () => inlet.db.collection('messages').countDocuments();

test('an event that a mapping cannot read is a dead letter, found by state and reason, with the path', async () => {
  const { data } = await inlet.client.deliverPatiently(webhook.key, lead('e1'));
  const event = await inlet.client.settled(data.eventId ?? '');
  expect(event).toMatchObject({ state: 'dead', reason: 'required_missing:contact.phone' });
  const { results } = await inlet.client.call('listEvents', {
    query: { state: ['dead'], reason: ['required_missing:contact.phone'] },
  });
  expect(results.map(({ id }) => id)).toEqual([event.id]);
  expect(await messages()).toBe(0);
});

test('replayed before a fix it is dead again, without effects', async () => {
  const id = await deadId();
  await replay(id);
  expect(await inlet.client.settled(id)).toMatchObject({ state: 'dead' });
  const { timeline } = await inlet.client.event(id);
  expect(timeline.filter(({ state }) => state === 'dead')).toHaveLength(2);
  expect(await messages()).toBe(0);
});

test('replayed after the mapping was fixed it has its effects once', async () => {
  const version = await inlet.client.activate(webhook.id, leadMapping);
  const id = await deadId();
  const statusOf = (call: Promise<unknown>) =>
    call.then(
      () => 200,
      (error: InletError) => error.status,
    );
  const statuses = await Promise.all([replay(id), replay(id), replay(id)].map(statusOf));
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  const done = await inlet.client.settled(id);
  expect(done).toMatchObject({ state: 'done', reason: null, mappingVersion: version });
  expect(done.effects).not.toBeNull();
  expect(await messages()).toBe(1);

  await expect(replay(id)).rejects.toMatchObject({
    status: 409,
    code: 'invalid_transition',
    details: { state: 'done' },
  });
  const resent = await inlet.client.deliverPatiently(webhook.key, lead('e1'));
  expect(resent.data).toMatchObject({ eventId: id, duplicate: true });
  expect(await messages()).toBe(1);
});

test('attempts are bounded: an event without attempts left is dead, with the reason', async () => {
  const { key, id } = await inlet.client.addActiveWebhook(leadMapping);
  await inlet.client.call('pauseWebhook', { params: { id } });
  const { data } = await inlet.client.deliverPatiently(key, lead('e2'));
  expect(data.mode).toBe('held');
  // As if a worker had crashed while it processed it, after eight others.
  await inlet.db
    .collection<{ _id: string }>('events')
    .updateOne(
      { _id: data.eventId ?? '' },
      { $set: { state: 'received', open: true, attempts: 8, nextAt: null } },
    );
  await inlet.db.collection<SetRecord>('sets').insertOne({
    _id: newId(),
    eventIds: [data.eventId ?? ''],
    worker: 'gone:1',
    session: randomBytes(16),
    beat: 0,
    takenAt: new Date(),
  });
  expect(await inlet.client.settled(data.eventId ?? '')).toMatchObject({
    state: 'dead',
    reason: 'attempts_spent',
  });
});
