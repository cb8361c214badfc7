import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { addDrift } from '../../../src/store/counters/drift.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { hourMs } from '../../../src/domain/mappings/drift.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { startDriftSampler } from '../../../src/maintenance/drift-sampler.ts';
import type { ProcessEvents } from '../../../src/processing/process-events.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let api: TestApi;
let gatherer: ReturnType<typeof startDriftSampler>;
let processEvents: ProcessEvents;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);

beforeAll(async () => {
  api = await createTestApi('http_drift');
  gatherer = startDriftSampler({
    write: (buckets) => addDrift(api.stores, buckets),
    clock: systemClock,
    logger: silentLogger(),
    perSecond: 1_000,
    perSecondInAll: 1_000,
  });
  processEvents = api.newProcessing({ observe: gatherer.observe });
  const document = (await api.ask('GET', '/v1/openapi.json', { token: null })).body;
  ajv.addSchema(document as object, 'openapi');
});
afterAll(async () => {
  await gatherer.close();
  await api.close();
});

const lead = (over: object = {}) => ({
  id: newId(),
  type: 'lead.created',
  lead: { id: newId(), name: 'Ana', phone: '+5511900000001', city: 'Recife', ...over },
  text: 'Olá',
});

/** Stores and processes the given number of events, received the given number of hours ago. */
async function happen(
  webhook: Webhook,
  { hoursAgo, times }: { hoursAgo: number; times: number },
  payload: () => unknown,
): Promise<void> {
  const ids: string[] = [];
  for (let i = 0; i < times; i += 1) ids.push(await api.send(webhook, payload()));
  const receivedAt = new Date(Date.now() - hoursAgo * hourMs);
  const events = api.connection.collection<{ _id: string }>('events');
  await events.updateMany({ _id: { $in: ids } }, { $set: { receivedAt } });
  await processEvents(ids);
  await gatherer.flush();
}

async function driftOf(webhook: Webhook, headers: Record<string, string> = {}) {
  const path = `/v1/admin/webhooks/${webhook._id}/drift`;
  const { status, body } = await api.ask('GET', path, { headers });
  expect(status).toBe(200);
  const pointer = '~1v1~1admin~1webhooks~1%7Bid%7D~1drift/get/responses/200';
  const validate = ajv.compile({
    $ref: `openapi#/paths/${pointer}/content/application~1json/schema`,
  });
  validate(body);
  expect(validate.errors).toBeNull();
  return body.data;
}

const pathsOf = (drift: { paths: { path: string }[] }) =>
  Object.fromEntries(drift.paths.map(({ path, ...rest }) => [path, rest]));

describe('a healthy webhook', () => {
  test('shows the paths and types of its sender, without warnings', async () => {
    const webhook = await api.addWebhook();
    await happen(webhook, { hoursAgo: 5, times: 20 }, lead);
    await happen(webhook, { hoursAgo: 2, times: 5 }, () => lead({ city: 7, tags: [] }));
    await happen(webhook, { hoursAgo: 1, times: 15 }, () => lead());
    const drift = await driftOf(webhook);
    expect(drift).toMatchObject({ events: 40, ignored: 0, complete: true, warnings: [] });
    const hour = Math.floor((Date.now() - 5 * hourMs) / hourMs) * hourMs;
    expect(Math.abs(Date.parse(drift.observedSince) - hour)).toBeLessThanOrEqual(hourMs);
    expect(pathsOf(drift)).toMatchObject({
      'lead.phone': { presence: 1, mapped: true, types: [{ type: 'string', share: 1 }] },
      'lead.city': {
        mapped: true,
        types: [
          { type: 'string', share: 0.88 },
          { type: 'number', share: 0.13 },
        ],
      },
      'lead.tags': { presence: 0, mapped: false, types: [{ type: 'empty', share: 1 }] },
      lead: { presence: 1, mapped: false, types: [{ type: 'object', share: 1 }] },
    });
  });

  test('without events has no paths', async () => {
    const webhook = await api.addWebhook();
    expect(await driftOf(webhook)).toEqual({
      observedSince: null,
      events: 0,
      ignored: 0,
      complete: true,
      paths: [],
      warnings: [],
    });
  });
});

describe('a sender that changes', () => {
  test('and leaves out a mapped path gives a warning, in the requested language', async () => {
    const webhook = await api.addWebhook();
    await happen(webhook, { hoursAgo: 30, times: 24 }, lead);
    await happen(webhook, { hoursAgo: 3, times: 6 }, () => lead({ phone: undefined }));
    await happen(webhook, { hoursAgo: 1, times: 6 }, () => lead({ phone: null }));
    const { warnings } = await driftOf(webhook, { 'accept-language': 'pt-BR' });
    expect(warnings).toEqual([
      {
        kind: 'missing',
        target: 'contact.phone',
        path: 'lead.phone',
        since: expect.any(String),
        before: 1,
        after: 0,
        events: 12,
        types: null,
        message: 'contact.phone estava presente em 100 % dos eventos e em nenhum dos últimos 12.',
      },
    ]);
    const three = new Date(Math.floor((Date.now() - 3 * hourMs) / hourMs) * hourMs);
    expect(Math.abs(Date.parse(warnings[0].since) - +three)).toBeLessThanOrEqual(hourMs);
    expect((await driftOf(webhook)).warnings[0].message).toBe(
      'contact.phone was there in 100 % of the events, and in none of the last 12.',
    );
  });

  test('and sends the path again gives no more warning', async () => {
    const webhook = await api.addWebhook();
    await happen(webhook, { hoursAgo: 9, times: 20 }, lead);
    await happen(webhook, { hoursAgo: 5, times: 10 }, () => lead({ phone: undefined }));
    expect((await driftOf(webhook)).warnings).toHaveLength(1);
    await happen(webhook, { hoursAgo: 1, times: 10 }, lead);
    expect((await driftOf(webhook)).warnings).toEqual([]);
  });

  test('a changed type is reported with the old one, and an unmapped path as new', async () => {
    const webhook = await api.addWebhook();
    await happen(webhook, { hoursAgo: 9, times: 20 }, lead);
    await happen(webhook, { hoursAgo: 1, times: 10 }, () =>
      lead({ city: { name: 'Recife' }, score: 7, utm: { source: 'ads' } }),
    );
    const { warnings } = await driftOf(webhook);
    expect(warnings).toMatchObject([
      {
        kind: 'type_changed',
        target: 'contact.fields.city',
        path: 'lead.city',
        types: { before: 'string', after: 'object' },
      },
      { kind: 'new_path', target: null, path: 'lead.city.name' },
      { kind: 'new_path', target: null, path: 'lead.score', before: 0, after: 1, events: 10 },
      { kind: 'new_path', target: null, path: 'lead.utm' },
    ]);
  });

  test('so that the filter matches no event gives a warning', async () => {
    const mapping: MappingDocument = { ...leadMapping, filter: "type == 'lead.created'" };
    const webhook = await api.addWebhook(mapping);
    await happen(webhook, { hoursAgo: 9, times: 20 }, lead);
    await happen(webhook, { hoursAgo: 1, times: 10 }, () => ({ ...lead(), type: 'lead.new' }));
    const { warnings, ignored } = await driftOf(webhook);
    expect(ignored).toBe(10);
    expect(warnings).toMatchObject([{ kind: 'missing', target: 'filter', path: null }]);
  });

  test('under a default is reported by the path, since the target is still filled', async () => {
    const text = { path: 'text', default: 'New contact' };
    const webhook = await api.addWebhook({ ...leadMapping, message: { text } });
    await happen(webhook, { hoursAgo: 9, times: 20 }, lead);
    await happen(webhook, { hoursAgo: 1, times: 10 }, () => ({ ...lead(), text: '' }));
    const { warnings } = await driftOf(webhook);
    expect(warnings).toMatchObject([{ kind: 'missing', target: 'message.text', path: 'text' }]);
  });
});

test('items of a split body are observed one by one, and keyed lists by their keys', async () => {
  const phone = { path: "fields[?code=='PHONE'].value | [0]" };
  const webhook = await api.addWebhook({ split: 'leads', contact: { phone } });
  const item = (value: string) => ({
    fields: [
      { code: 'PHONE', value },
      { code: 'X', value: 1 },
    ],
  });
  const id = await api.send(webhook, { leads: [item('+5511900000001'), item('+5511900000002')] });
  await processEvents([id]);
  const events = api.connection.collection<{ _id: string }>('events');
  const items = await events.find({ parentId: id }).toArray();
  await processEvents(items.map(({ _id }) => _id));
  await gatherer.flush();
  const drift = await driftOf(webhook);
  expect(drift.events).toBe(2);
  expect(pathsOf(drift)).toMatchObject({
    "fields[?code=='PHONE'].value": { presence: 1, mapped: true },
    "fields[?code=='X'].value": { presence: 1, mapped: false },
  });
});

test('names with dots, dollars and underscores are returned unchanged', async () => {
  const webhook = await api.addWebhook();
  const odd = JSON.parse('{ "a.b": 1, "$c": 1, "__proto__": { "x": 1 }, "100%25": 1, "": 1 }');
  await happen(webhook, { hoursAgo: 1, times: 2 }, () => ({ ...lead(), odd }));
  const paths = Object.keys(pathsOf(await driftOf(webhook))).filter((path) => path.startsWith('o'));
  expect(paths.toSorted()).toEqual(
    [
      'odd',
      'odd.""',
      'odd."$c"',
      'odd."100%25"',
      'odd."a.b"',
      'odd.__proto__',
      'odd.__proto__.x',
    ].toSorted(),
  );
});

test('a sender with unlimited names is limited, with a warning', async () => {
  const webhook = await api.addWebhook();
  for (const prefix of ['a', 'b']) {
    const names = Array.from({ length: 400 }, (_, i) => [`${prefix}${i}`, i]);
    await happen(webhook, { hoursAgo: 1, times: 1 }, () => Object.fromEntries(names));
  }
  const drift = await driftOf(webhook);
  expect(drift).toMatchObject({ complete: false, warnings: [] });
  expect(drift.paths).toHaveLength(500);
});

test('an unknown webhook is not found, and a token without permission is rejected', async () => {
  expect((await api.ask('GET', `/v1/admin/webhooks/${newId()}/drift`)).status).toBe(404);
  const webhook = await api.addWebhook();
  const token = await api.addToken(['inbox']);
  const path = `/v1/admin/webhooks/${webhook._id}/drift`;
  expect((await api.ask('GET', path, { token })).status).toBe(403);
});
