import { executeDueSchedules } from '../../../src/api/webhooks/scheduled-activations.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { startOutcomeCounter } from '../../../src/maintenance/outcome-counter.ts';
import { auditRows } from '../../support/context/audit-rows.ts';
import { aChannel, aWebhook } from '../../support/context/builders.ts';
import type { Answer } from '../../support/context/api-request.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';
import { getWebhook } from '../../../src/store/webhooks/webhooks.ts';

let api: TestApi;
let channelId: string;

beforeAll(async () => {
  api = await createTestApi('http_activation');
  channelId = await aChannel(api);
});
afterAll(() => api.close());

const dataOf = ({ body }: Answer) => body.data;
const codeOf = (answer: Answer) => [answer.status, dataOf(answer).code];
const otherRecipe = { ...leadMapping, eventId: { path: 'other' } };
const later = '2100-01-01T00:00:00Z';
const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A webhook with a sample and the given versions, none of them active. */
async function mappedWebhook(...mappings: readonly object[]) {
  const { id, key, path } = await aWebhook(api, { channelId });
  const ask = (method: string, under: string, given?: object) =>
    api.ask(method, `${path}${under}`, { body: given });
  const post = (under: string, given?: object) => ask('POST', `/${under}`, given);
  const send = async (payload: object) =>
    dataOf(await api.ask('POST', `/v1/webhook/${key}`, { token: null, body: payload }));
  await send({});
  for (const mapping of mappings) await post('mappings', { mapping });
  const activate = async (...versions: number[]) => {
    for (const version of versions) {
      expect((await post('activate', { version })).status).toBe(200);
    }
  };
  const actions = async () => {
    const rows = await auditRows(api, { targetId: id });
    return rows.map(({ action }) => action);
  };
  return { id, ask, post, send, activate, actions };
}

type Webhook = Awaited<ReturnType<typeof mappedWebhook>>;
const read = async ({ ask }: Webhook) => dataOf(await ask('GET', ''));

describe('a rollback', () => {
  test('goes back one activation each time, and is audited', async () => {
    const webhook = await mappedWebhook(leadMapping, leadMapping, leadMapping);
    await webhook.activate(1, 2, 2, 3);
    expect(await read(webhook)).toMatchObject({ activeVersion: 3, previousVersion: 2 });
    const back = await webhook.post('rollback');
    expect(dataOf(back)).toMatchObject({
      status: 'active',
      activeVersion: 2,
      previousVersion: 1,
    });
    const versions = dataOf(await webhook.ask('GET', '/mappings?sort_by=version')).results;
    expect(versions.map(({ status }: { status: string }) => status)).toEqual([
      'retired',
      'active',
      'retired',
    ]);
    expect(dataOf(await webhook.post('rollback'))).toMatchObject({
      activeVersion: 1,
      previousVersion: null,
    });
    const refused = await webhook.post('rollback');
    expect([...codeOf(refused), dataOf(refused).state]).toEqual([
      409,
      'invalid_transition',
      'active',
    ]);
    expect(
      (await webhook.actions()).filter((action) => action === 'webhook.rollback'),
    ).toHaveLength(2);
  });

  test('leaves a paused webhook paused, and does not change an archived one', async () => {
    const webhook = await mappedWebhook(leadMapping, leadMapping);
    await webhook.activate(1, 2);
    await webhook.post('pause');
    expect(dataOf(await webhook.post('rollback'))).toMatchObject({
      status: 'paused',
      activeVersion: 1,
    });
    await webhook.activate(2);
    await webhook.post('archive');
    expect(codeOf(await webhook.post('rollback'))).toEqual([409, 'invalid_transition']);
  });

  test('requested twice at once goes back two steps at most, and never forward', async () => {
    const webhook = await mappedWebhook(leadMapping, leadMapping);
    await webhook.activate(1, 2);
    const answers = await Promise.all([webhook.post('rollback'), webhook.post('rollback')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await read(webhook)).toMatchObject({ activeVersion: 1 });
  });
});

test('an event keeps the version that it was recorded with, even if another is activated before it is processed', async () => {
  const webhook = await mappedWebhook(leadMapping, {
    ...leadMapping,
    message: { text: { const: 'By the second' } },
  });
  await webhook.activate(1);
  const first = await webhook.send({
    id: 'a',
    lead: { id: 'L1', name: 'Ana' },
    text: 'By the first',
  });
  await webhook.activate(2);
  const second = await webhook.send({
    id: 'b',
    lead: { id: 'L2', name: 'Bia' },
    text: 'By the first',
  });
  await webhook.post('rollback');
  await api.processEvents([first.eventId, second.eventId]);
  const outcomeOf = async ({ eventId }: { eventId: string }) => {
    const { mappingVersion, effects } = dataOf(await api.ask('GET', `/v1/admin/events/${eventId}`));
    const messages = dataOf(await api.ask('GET', `/v1/chat/${effects.chatId}`)).results;
    return [mappingVersion, messages[0].content.message];
  };
  expect(await outcomeOf(first)).toEqual([1, 'By the first']);
  expect(await outcomeOf(second)).toEqual([2, 'By the second']);
});

describe('the recipe of the version before', () => {
  test.each([
    ['stays known, unless something is said', {}, [72]],
    ['is forgotten where it was wrong', { dedupOverlapHours: 0 }, []],
    ['stays known for as long as is said', { dedupOverlapHours: 1 }, [1]],
  ])('%s', async (_what, given, known) => {
    const webhook = await mappedWebhook(leadMapping, otherRecipe);
    await webhook.activate(1);
    const lead = { id: 'a', other: 'b', lead: { id: 'L1' } };
    await webhook.send(lead);
    await webhook.post('mappings/2/activate', given);
    expect((await webhook.send(lead)).duplicate).toBe(known.length > 0);
    const { overlaps = [], changedAt } = (await getWebhook(api.stores, webhook.id)) ?? {};
    const hours = overlaps.map(({ until }) => (+until - Number(changedAt)) / 3_600_000);
    expect(hours).toEqual(known);
  });

  test('is validated', async () => {
    const webhook = await mappedWebhook(leadMapping);
    for (const dedupOverlapHours of [-1, 2_161, 1.5]) {
      const answer = await webhook.post('activate', { dedupOverlapHours });
      expect(codeOf(answer)).toEqual([422, 'invalid_field']);
    }
  });

  test('can be dropped by a rollback too', async () => {
    const webhook = await mappedWebhook(leadMapping, otherRecipe);
    await webhook.activate(1, 2);
    await webhook.post('rollback', { dedupOverlapHours: 0 });
    const { overlaps } = (await getWebhook(api.stores, webhook.id)) ?? {};
    expect(overlaps).toEqual([]);
  });
});

describe('a scheduled activation', () => {
  /** Moves the schedule's time into the past. */
  const makeDue = (id: string) =>
    api.connection
      .collection('webhooks')
      .updateOne({ _id: id as never }, { $set: { 'schedule.at': new Date(0) } });

  test('is shown, changes nothing before its time, and is executed once by one of many processes', async () => {
    const webhook = await mappedWebhook(leadMapping, leadMapping);
    await webhook.activate(1);
    const at = hoursAhead(2);
    const planned = await webhook.post('mappings/2/activate', { at, dedupOverlapHours: 3 });
    const schedule = { at, version: 2, dedupOverlapHours: 3, by: 'INLET_ADMIN_TOKEN' };
    expect(dataOf(planned)).toMatchObject({ activeVersion: 1, schedule });
    expect(dataOf(await webhook.ask('GET', '/schedule'))).toEqual(schedule);
    await executeDueSchedules(api.context);
    expect(await read(webhook)).toMatchObject({ activeVersion: 1 });
    await makeDue(webhook.id);
    await Promise.all([1, 2, 3].map(() => executeDueSchedules(api.context)));
    expect(await read(webhook)).toMatchObject({
      activeVersion: 2,
      previousVersion: 1,
      schedule: null,
    });
    const actions = await webhook.actions();
    expect(actions.slice(-2)).toEqual(['webhook.schedule', 'webhook.activate']);
    const rows = await auditRows(api, { targetId: webhook.id });
    const names = rows.map(({ actor }) => actor.name);
    expect(new Set(names)).toEqual(new Set(['INLET_ADMIN_TOKEN']));
    expect((await webhook.ask('GET', '/schedule')).status).toBe(404);
  });

  test.each([
    ['another activation', (webhook: Webhook) => webhook.post('activate', { version: 1 })],
    ['a rollback', (webhook: Webhook) => webhook.post('rollback')],
    ['archiving', (webhook: Webhook) => webhook.post('archive')],
    ['its deletion', (webhook: Webhook) => webhook.ask('DELETE', '/schedule')],
  ])('is removed by %s', async (_what, change) => {
    const webhook = await mappedWebhook(leadMapping, leadMapping, leadMapping);
    await webhook.activate(1, 2);
    await webhook.post('activate', { at: hoursAhead(1), version: 3 });
    expect((await change(webhook)).status).toBe(200);
    expect(await read(webhook)).toMatchObject({ schedule: null });
    await executeDueSchedules(api.context);
    expect((await read(webhook)).activeVersion).not.toBe(3);
    expect(codeOf(await webhook.ask('DELETE', '/schedule'))).toEqual([404, 'not_found']);
  });

  test('outlasts a pause, and replaces another schedule', async () => {
    const webhook = await mappedWebhook(leadMapping, leadMapping, leadMapping);
    await webhook.activate(1);
    await webhook.post('activate', { at: hoursAhead(1), version: 2 });
    await webhook.post('activate', { at: hoursAhead(1), version: 3 });
    await webhook.post('pause');
    await makeDue(webhook.id);
    await executeDueSchedules(api.context);
    expect(await read(webhook)).toMatchObject({ status: 'paused', activeVersion: 3 });
  });

  test('is executed although an earlier one fails', async () => {
    const [broken, good] = [
      await mappedWebhook(leadMapping, leadMapping),
      await mappedWebhook(leadMapping, leadMapping),
    ];
    for (const webhook of [broken, good]) {
      await webhook.activate(1);
      await webhook.post('activate', { at: hoursAhead(1), version: 2 });
      await makeDue(webhook.id);
    }
    const webhooks = api.connection.collection('webhooks');
    // An invalid date makes the reader throw an unexpected error.
    await webhooks.updateOne(
      { _id: broken.id as never },
      { $set: { 'schedule.at': new Date(-1), 'schedule.by': null } },
    );
    await executeDueSchedules(api.context);
    expect(await read(good)).toMatchObject({ activeVersion: 2, schedule: null });
    const stored = await webhooks.findOne({ _id: broken.id as never });
    expect(stored).toMatchObject({ activeVersion: 1, schedule: { version: 2 } });
    await webhooks.updateOne({ _id: broken.id as never }, { $set: { schedule: null } });
  });

  test('that cannot be executed is removed, and the audit log says why', async () => {
    const webhook = await mappedWebhook(leadMapping, leadMapping);
    await webhook.activate(1);
    await webhook.post('activate', { at: hoursAhead(1), version: 2 });
    const mappings = api.connection.collection('mappings');
    await mappings.updateOne(
      { webhookId: webhook.id, version: 2 },
      { $set: { document: '{"contact":{"name":{"path":"("}}}' } },
    );
    await makeDue(webhook.id);
    await executeDueSchedules(api.context);
    expect(await read(webhook)).toMatchObject({ activeVersion: 1, schedule: null });
    const failed = { targetId: webhook.id, action: 'webhook.schedule_failed' };
    const [row] = await auditRows(api, failed);
    expect(row).toMatchObject({
      actor: { name: 'schedules' },
      before: { schedule: { version: 2 } },
      after: { schedule: null, failure: 'setup_incomplete' },
    });
  });

  test.each([
    [{ at: '2020-01-01T00:00:00Z' }, 422, '/at'],
    [{ at: later }, 422, '/at'],
    [{ at: 'soon' }, 422, '/at'],
    [{ at: hoursAhead(1), processSamples: true }, 422, '/processSamples'],
    [{ at: hoursAhead(1), version: 9 }, 422, '/version'],
  ])('is rejected: %j', async (given, status, path) => {
    const webhook = await mappedWebhook(leadMapping);
    const answer = await webhook.post('activate', given);
    expect([answer.status, dataOf(answer).fields[0].path]).toEqual([status, path]);
  });

  test('is accepted only when the set-up is complete', async () => {
    const answer = await (await mappedWebhook()).post('activate', { at: hoursAhead(1) });
    expect([...codeOf(answer), dataOf(answer).missing]).toEqual([
      409,
      'setup_incomplete',
      ['mapping'],
    ]);
  });
});

test('outcomes of events are counted for each version, without test events', async () => {
  const required = { path: 'lead.phone', required: true };
  const webhook = await mappedWebhook(leadMapping, {
    ...leadMapping,
    filter: "type != 'noise'",
    contact: { ...leadMapping.contact, phone: required },
  });
  const endings = startOutcomeCounter({
    ...api.stores,
    clock: systemClock,
    logger: silentLogger(),
    intervalMs: 3_600_000,
  });
  const process = api.newProcessing({ recordOutcome: endings.record });
  const end = async (payload: object) => process([(await webhook.send(payload)).eventId]);
  await webhook.activate(1);
  await end({ lead: { id: 'L1', name: 'Ana', email: 'ana@' }, text: 'x' });
  await webhook.activate(2);
  await end({ lead: { id: 'L1' } });
  await end({ lead: { id: 'L1' } });
  await end({ type: 'noise' });
  const tested = dataOf(await webhook.post('test-events', { payload: { body: {} } }));
  await process([tested.eventId]);
  await endings.flush();
  const { versions } = dataOf(await webhook.ask('GET', '/mappings/health'));
  expect(versions).toMatchObject([
    {
      version: 2,
      status: 'active',
      ended: 3,
      done: 0,
      ignored: 1,
      dead: 2,
      reasons: [{ reason: 'required_missing:contact.phone', count: 2 }],
    },
    { version: 1, status: 'retired', ended: 1, done: 1, dead: 0, reasons: [] },
  ]);
  expect(versions[1].problems).toEqual([
    { target: 'contact.email', code: 'invalid_email', count: 1 },
  ]);
  await endings.close();
});
