// Dead letters, discards and replays of many events, over HTTP; every answer is validated against the OpenAPI document.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { newId } from '../../../src/base/ids.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import { auditRows } from '../../support/context/audit-rows.ts';
import type { Answer, RequestOptions } from '../../support/context/api-request.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { withResponses } from '../../support/openapi/contract.ts';
import { leadMapping } from '../../support/context/test-context.ts';
import { valueOf } from '../../support/context/value-of.ts';
import { insertMapping } from '../../../src/store/webhooks/mappings.ts';
import { activateWebhook } from '../../../src/store/webhooks/activation.ts';

let api: TestApi;
let viewer: string;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);

beforeAll(async () => {
  api = await createTestApi('http_replays');
  viewer = await api.addToken(['viewer']);
  const { body } = await api.ask('GET', '/v1/openapi.json', { token: null });
  ajv.addSchema(withResponses(body), 'openapi');
});
beforeEach(() => api.clear());
afterAll(() => api.close());

/** Sends a request and validates the answer against the document. */
async function ask(method: string, template: string, given: RequestOptions & { id?: string } = {}) {
  const [path = '', query] = template.split('?');
  const filled = path.replace('{id}', given.id ?? '') + (query ? `?${query}` : '');
  const answer: Answer = await api.ask(method, filled, given);
  const pointer = ['paths', path, method.toLowerCase(), 'responses', answer.status]
    .map((part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const validate = ajv.compile({
    $ref: `openapi#/${pointer}/content/application~1json/schema`,
  });
  validate(answer.body);
  expect({ template, status: answer.status, errors: validate.errors }).toMatchObject({
    errors: null,
  });
  return answer;
}

const misread: MappingDocument = {
  eventId: { path: 'id' },
  contact: { phone: { path: 'nowhere', required: true } },
};
const lead = (id: string, phone = '+55 11 90000-0001') => ({ id, lead: { name: 'Ana', phone } });

/** A webhook with the given number of events that are dead because a required value is missing. */
async function withDead(n: number) {
  const webhook = await api.addWebhook(misread);
  const ids: string[] = [];
  for (let made = 0; made < n; made += 1) ids.push(await api.send(webhook, lead(`e${made}`)));
  await api.processEvents(ids);
  return { webhook, ids };
}

async function fixMapping(id: string) {
  const actor = { tokenId: 'test', name: 'test' };
  const { version } = valueOf(
    await insertMapping(api.stores, { webhookId: id, mapping: leadMapping }, actor),
  );
  await activateWebhook(api.stores, id, { version, previous: 1, overlapMs: 0, actor });
}

async function tick(times: number) {
  const ticker = api.newRuns();
  for (let n = 0; n < times; n += 1) {
    await api.connection.collection('runs').updateMany({}, { $set: { nextAt: new Date(0) } });
    await ticker.tick();
  }
  await ticker.close();
}

const events = '/v1/admin/events';
const replays = '/v1/admin/replays';
const stateOf = async (id: string) => (await api.stores.events.get(id))?.state;
const rowsOf = (targetId: string) => auditRows(api, { targetId });

test('dead letters are grouped by webhook and reason, with an action in the caller’s language', async () => {
  const { webhook, ids } = await withDead(3);
  const other = await api.addWebhook();
  const nobody = await api.send(other, { id: 'x' });
  await api.processEvents([nobody]);
  const listed = await ask('GET', '/v1/admin/dead-letters', {
    token: viewer,
    headers: { 'accept-language': 'pt-BR' },
  });
  expect(listed.body.data.pagings).toMatchObject({ total: 2, count: 2 });
  const [most, least] = listed.body.data.results;
  expect(most).toMatchObject({
    webhookId: webhook._id,
    reason: 'required_missing:contact.phone',
    action: { code: 'fix_mapping', text: expect.stringMatching(/^Corrija o mapeamento/) },
    count: 3,
    mappingVersions: [1],
  });
  expect(ids).toContain(most.exampleEventId);
  expect(Date.parse(most.firstFinishedAt)).toBeLessThanOrEqual(Date.parse(most.lastFinishedAt));
  expect(least).toMatchObject({ reason: 'contact_unidentified', exampleEventId: nobody });

  const total = async (query: string) =>
    (await ask('GET', `/v1/admin/dead-letters?${query}`)).body.data.results.map(
      ({ count }: { count: number }) => count,
    );
  expect(await total(`webhookId=${other._id}`)).toEqual([1]);
  expect(await total('reason=required_missing:contact.phone')).toEqual([3]);
  expect(await total('sort_by=count&per_page=1&current_page=2')).toEqual([3]);
  expect(await total('to=2020-01-01')).toEqual([]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await total(`from=${today}&to=${today}`)).toEqual([3, 1]);
});

test('dead letters are read from their index, without reading events', async () => {
  await withDead(5);
  const explained = (await api.connection
    .getClient()
    .db(api.connection.name)
    .command({
      explain: {
        aggregate: 'events',
        cursor: {},
        hint: 'ended',
        pipeline: [
          { $match: { state: 'dead' } },
          {
            $group: {
              _id: { webhookId: '$webhookId', reason: '$reason' },
              lastAt: { $max: '$finishedAt' },
              versions: { $addToSet: '$mappingVersion' },
              exampleId: { $max: '$_id' },
            },
          },
        ],
      },
      verbosity: 'executionStats',
    })) as unknown;
  expect(JSON.stringify(explained)).toMatch(/"totalDocsExamined":(\{"\$numberLong":")?0/);
});

test('an event that has not ended is discarded, and its worker does not finish it', async () => {
  const webhook = await api.addWebhook();
  const id = await api.send(webhook, lead('d1'));
  let isDiscarded = false;
  const late = api.newProcessing({
    onStep: async (step) => {
      if (step !== 'write' || isDiscarded) return;
      isDiscarded = true;
      const discarded = await ask('POST', `${events}/{id}/discard`, { id });
      expect(discarded.body.data).toMatchObject({ state: 'discarded', reason: null });
    },
  });
  await late([id]);
  const { data } = (await ask('GET', `${events}/{id}`, { id })).body;
  expect(data).toMatchObject({ state: 'discarded', effects: null, nextAt: null });
  expect(data.timeline.at(-1)).toMatchObject({ state: 'discarded' });
  expect(data.finishedAt).not.toBeNull();
  expect(await rowsOf(id)).toMatchObject([
    {
      action: 'event.discard',
      before: { state: 'received' },
      after: { state: 'discarded' },
    },
  ]);

  const again = await ask('POST', `${events}/{id}/discard`, { id });
  expect(again.status).toBe(409);
  expect(again.body.data).toMatchObject({ code: 'invalid_transition', state: 'discarded' });
  expect((await ask('POST', `${events}/{id}/replay`, { id })).status).toBe(200);
  await api.processEvents([id]);
  expect(await stateOf(id)).toBe('done');
  expect((await ask('POST', `${events}/{id}/discard`, { id })).body.data.state).toBe('done');
  expect((await api.snapshot()).messages).toBe(1);
});

test('a preview counts, and the replay by the same filter processes exactly those events, in the background', async () => {
  const { webhook, ids } = await withDead(3);
  await fixMapping(webhook._id);
  const filter = { webhookId: webhook._id, reason: ['required_missing:contact.phone'] };
  const preview = await ask('POST', `${events}/replay`, { body: { filter, preview: true } });
  expect(preview.status).toBe(200);
  expect(preview.body.data).toEqual({
    count: 3,
    exact: true,
    byState: [{ state: 'dead', count: 3 }],
    byReason: [{ reason: 'required_missing:contact.phone', count: 3 }],
  });
  expect((await ask('GET', replays)).body.data.results).toEqual([]);

  const begun = await ask('POST', `${events}/replay`, { body: { filter } });
  expect(begun.status).toBe(201);
  expect(begun.body.data).toMatchObject({
    kind: 'replay',
    state: 'running',
    filter: { webhookId: [webhook._id], reason: filter.reason },
    remap: false,
    perSecond: 100,
    total: 3,
    totalExact: true,
    reason: null,
    replayed: 0,
    finishedAt: null,
  });
  const { id } = begun.body.data;
  await tick(2);
  const ended = await ask('GET', `${replays}/{id}`, { id, token: viewer });
  expect(ended.body.data).toMatchObject({ state: 'done', replayed: 3, skipped: 0 });
  await api.processEvents(ids);
  for (const event of await api.stores.events.getMany(ids)) expect(event.state).toBe('done');
  const listed = await ask('GET', `${replays}?state=done&kind=replay`);
  expect(listed.body.data.results).toEqual([ended.body.data]);
  expect(await rowsOf(id)).toMatchObject([{ action: 'replay.create', before: null }]);
});

test('a replay of ids is cancelled once', async () => {
  const { ids } = await withDead(2);
  const begun = await ask('POST', `${events}/replay`, { body: { ids, perSecond: 1 } });
  expect(begun.body.data).toMatchObject({ filter: { ids: 2 }, total: 2, perSecond: 1 });
  const { id } = begun.body.data;
  await tick(1);
  const cancelled = await ask('POST', `${replays}/{id}/cancel`, { id });
  expect(cancelled.body.data).toMatchObject({ state: 'cancelled', replayed: 1 });
  expect(cancelled.body.data.finishedAt).not.toBeNull();
  const again = await ask('POST', `${replays}/{id}/cancel`, { id });
  expect([again.status, again.body.data.state]).toEqual([409, 'cancelled']);
});

test('held events of a resumed webhook are processed by a run that pausing stops, not cancelling', async () => {
  const webhook = await api.addWebhook();
  const path = `/v1/admin/webhooks/${webhook._id}`;
  await api.ask('POST', `${path}/pause`);
  const id = await api.send({ ...webhook, status: 'paused' }, lead('h1'));
  await api.ask('POST', `${path}/resume`);
  const listed = await ask('GET', `${replays}?kind=resume`);
  expect(listed.body.data.results).toMatchObject([
    { kind: 'resume', state: 'running', filter: { webhookId: [webhook._id] }, total: 1 },
  ]);
  const [run] = listed.body.data.results;
  const cancelled = await ask('POST', `${replays}/{id}/cancel`, { id: run.id });
  expect([cancelled.status, cancelled.body.data.state]).toEqual([409, 'resuming']);
  await tick(1);
  expect(await stateOf(id)).toBe('received');
});

test.each<[string, unknown, string]>([
  ['nothing', {}, '/filter'],
  ['an empty filter', { filter: {} }, '/filter'],
  ['a filter and ids', { filter: { state: 'dead' }, ids: [newId()] }, '/filter'],
  ['no ids', { ids: [] }, '/ids'],
  ['an id that is none', { ids: ['x'] }, '/ids/0'],
  ['too many ids', { ids: Array.from({ length: 1_001 }, newId) }, '/ids'],
  ['an unknown field', { filter: { colour: 'red' } }, '/filter/colour'],
  ['a state that does not go through', { filter: { state: 'received' } }, '/filter/state'],
  ['done without remap', { filter: { state: ['done', 'dead'] } }, '/filter/state'],
  ['a day that is none', { filter: { from: 'yesterday' } }, '/filter/from'],
  ['a rate of nothing', { filter: { state: 'dead' }, perSecond: 0 }, '/perSecond'],
  ['a rate beyond the bound', { filter: { state: 'dead' }, perSecond: 1_001 }, '/perSecond'],
  ['a text for a flag', { filter: { state: 'dead' }, remap: 'yes' }, '/remap'],
])('a replay of many rejects %s, with its pointer', async (_what, body, path) => {
  const answer = await ask('POST', `${events}/replay`, { body });
  expect([answer.status, answer.body.data.code]).toEqual([422, 'invalid_field']);
  expect(answer.body.data.fields.map((field: { path: string }) => field.path)).toContain(path);
});

test.each([
  ['POST', `${events}/{id}/discard`],
  ['POST', `${events}/{id}/replay`],
  ['POST', `${events}/replay`],
  ['POST', `${replays}/{id}/cancel`],
])('%s %s is for operators', async (method, template) => {
  const inbox = await api.addToken(['inbox']);
  for (const token of [viewer, inbox]) {
    expect((await ask(method, template, { id: newId(), token, body: {} })).status).toBe(403);
  }
  const operator = await api.addToken(['operator']);
  const answer = await ask(method, template, { id: newId(), token: operator, body: {} });
  expect(answer.status).toBe(template.includes('{id}') ? 404 : 422);
});

test.each([
  ['GET', replays],
  ['GET', '/v1/admin/dead-letters'],
  ['GET', `${replays}/{id}`],
])('%s %s is for viewers, and accepts no other query', async (method, template) => {
  const inbox = await api.addToken(['inbox']);
  expect((await ask(method, template, { id: newId(), token: inbox })).status).toBe(403);
  if (template.includes('{id}')) {
    expect((await ask(method, template, { id: newId(), token: viewer })).status).toBe(404);
  } else {
    expect((await ask(method, `${template}?per_page=0`, { token: viewer })).status).toBe(400);
    expect((await ask(method, `${template}?colour=red`, { token: viewer })).status).toBe(400);
  }
});
