import { auditRows } from '../../support/context/audit-rows.ts';
import { aChannel, aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';

const path = '/v1/admin/webhooks';
let api: TestApi;
let channelId: string;
let otherChannelId: string;

beforeAll(async () => {
  api = await createTestApi('http_webhooks');
  channelId = await aChannel(api);
  otherChannelId = await aChannel(api);
});
afterAll(() => api.close());

const add = (name: string, channel = channelId) => aWebhook(api, { name, channelId: channel });

const namesOf = async (query: string): Promise<string[]> =>
  (await api.ask('GET', `${path}?${query}`)).body.data.results.map(
    ({ name }: { name: string }) => name,
  );

const act = async (id: string, action: string, body?: object) =>
  api.ask('POST', `${path}/${id}/${action}`, { body });

const send = (key: string, body: object = { lead: { id: 'L1' } }) =>
  api.ask('POST', `/v1/webhook/${key}`, { token: null, body });

describe('a list', () => {
  beforeAll(async () => {
    await add('Formulário de São Paulo');
    await add('formulario RECIFE', otherChannelId);
    const { id } = await add('Ads (100%) .*');
    await act(id, 'archive');
  });

  test.each([
    ['search=SAO', ['Formulário de São Paulo']],
    ['search=paulo%20formul', ['Formulário de São Paulo']],
    ['search=formulário&sort_by=name', ['Formulário de São Paulo', 'formulario RECIFE']],
    ['search=mulario&sort_by=-name', ['formulario RECIFE', 'Formulário de São Paulo']],
    ['search=(100%25', ['Ads (100%) .*']],
    ['search=.*', ['Ads (100%) .*']],
    ['search=nobody', []],
    ['search=formul&status=archived', []],
    ['name=formulario%20RECIFE', ['formulario RECIFE']],
    ['name=formulario%20recife', []],
    ['search=sao&name=formulario%20RECIFE', []],
  ])('finds by %s', async (query, names) => {
    expect(await namesOf(query)).toEqual(names);
  });

  test('counts the listed webhooks by status', async () => {
    const counts = async (query = '') =>
      (await api.ask('GET', `${path}/counts${query}`)).body.data as {
        total: number;
        byStatus: Record<string, number>;
      };
    expect((await counts('?search=ads')).byStatus).toEqual({
      draft: 0,
      sampled: 0,
      mapped: 0,
      active: 0,
      paused: 0,
      archived: 1,
    });
    expect(await counts(`?channelId=${otherChannelId}`)).toMatchObject({ total: 1 });
    expect((await counts('?status=archived,draft&search=formul')).total).toBe(2);
    const { total } = (await api.ask('GET', path)).body.data.pagings;
    expect((await counts()).total).toBe(total);
    expect((await api.ask('GET', `${path}/counts?sort_by=name`)).status).toBe(400);
  });

  test('reflects a new name', async () => {
    const { id } = await add('Before');
    await api.ask('PATCH', `${path}/${id}`, { body: { name: 'Depois é outro' } });
    expect(await namesOf('search=before')).toEqual([]);
    expect(await namesOf('search=DEPOIS%20E')).toEqual(['Depois é outro']);
  });

  test.each([
    [{}, { nameKey: 1 }],
    [{ nameKey: { $regex: 'sao' } }, { createdAt: -1, _id: -1 }],
    [{ nameKey: { $regex: 'sao' } }, { nameKey: 1, _id: 1 }],
    [{ status: { $in: ['draft'] } }, { status: 1, _id: 1 }],
    [{}, { status: -1, _id: -1 }],
    [{}, { updatedAt: -1, _id: -1 }],
    [{ producerProfile: { $in: ['generic'] } }, { createdAt: -1, _id: -1 }],
  ] as const)('is answered by an index: %j, by %j', async (filter, sort) => {
    const webhooks = api.connection.collection('webhooks');
    const plan = await webhooks.find(filter).sort(sort).explain();
    expect(JSON.stringify(plan['queryPlanner'].winningPlan)).not.toContain('COLLSCAN');
  });
});

test('an unknown producer profile is rejected', async () => {
  const body = { name: 'x', channelId, producerProfile: 'nobody' };
  const answer = await api.ask('POST', path, { body });
  expect([answer.status, answer.body.data.fields[0].path]).toEqual([422, '/producerProfile']);
});

describe('an archived webhook is restored', () => {
  const restored = async (id: string) => {
    await act(id, 'archive');
    const answer = await act(id, 'restore');
    expect(answer.status).toBe(200);
    return answer.body.data as { status: string; setup: { next: string | null } };
  };

  test('to its earlier set-up status, and its key is valid again', async () => {
    const { id, key } = await add('Back');
    expect(await restored(id)).toMatchObject({ status: 'draft', setup: { next: 'sample' } });
    await act(id, 'archive');
    expect((await send(key)).status).toBe(401);
    await act(id, 'restore');
    expect((await send(key)).body.data.mode).toBe('sample');
    expect(await restored(id)).toMatchObject({ status: 'sampled', setup: { next: 'mapping' } });
    await act(id, 'mappings', { mapping: leadMapping });
    expect(await restored(id)).toMatchObject({ status: 'mapped', setup: { next: 'activation' } });
  });

  test('paused, if it was ever active: requests are held until it is resumed', async () => {
    const { id, key } = await add('Back');
    await send(key);
    await act(id, 'mappings', { mapping: leadMapping });
    await act(id, 'activate');
    expect(await restored(id)).toMatchObject({
      status: 'paused',
      activeVersion: 1,
      setup: { next: null },
    });
    expect((await send(key)).body.data.mode).toBe('held');
    expect((await act(id, 'resume')).body.data.status).toBe('active');
    const rows = await auditRows(api, { targetId: id });
    expect(rows.map(({ action }) => action)).toContain('webhook.restore');
  });

  test('but a key that was revoked in between stays revoked', async () => {
    const { id, key } = await add('Back');
    await act(id, 'archive');
    const keys = api.connection.collection('keys');
    await keys.updateOne({ webhookId: id }, { $set: { revokedAt: new Date() } });
    await act(id, 'restore');
    expect((await send(key)).status).toBe(401);
  });

  test('but not into a channel that was deleted in between', async () => {
    const channel = await aChannel(api, { name: 'Brief' });
    const { id } = await add('Back', channel);
    await act(id, 'archive');
    expect((await api.ask('DELETE', `/v1/admin/channels/${channel}`)).status).toBe(200);
    const answer = await act(id, 'restore');
    const { code, state, missing } = answer.body.data;
    expect([answer.status, code, state, missing]).toEqual([
      409,
      'invalid_transition',
      'archived',
      ['channel'],
    ]);
    expect((await api.ask('GET', `${path}/${id}`)).body.data.status).toBe('archived');
    const another = await aChannel(api, { name: 'Brief' });
    const restoreInto = (channelId: string) =>
      api.ask('POST', `${path}/${id}/restore`, { body: { channelId } });
    const refused = await restoreInto(channel);
    expect([refused.status, refused.body.data.fields[0].path]).toEqual([422, '/channelId']);
    const moved = await restoreInto(another);
    expect([moved.status, moved.body.data]).toMatchObject([
      200,
      { status: 'draft', channelId: another },
    ]);
  });

  test('a token for some channels restores into none of the others', async () => {
    const { id } = await add('Within');
    await act(id, 'archive');
    const [own, other] = await Promise.all(['Own', 'Other'].map((name) => aChannel(api, { name })));
    const restriction = { webhookIds: [id], channelIds: [own ?? ''] };
    const token = await api.addToken(['operator'], { restriction });
    const restoreInto = (channelId: string | undefined) =>
      api.ask('POST', `${path}/${id}/restore`, { token, body: { channelId } });
    expect((await restoreInto(other)).status).toBeGreaterThanOrEqual(400);
    expect((await restoreInto(own)).body.data).toMatchObject({ channelId: own });
  });

  test('and nothing else does', async () => {
    const { id } = await add('Alive');
    const answer = await act(id, 'restore');
    expect([answer.status, answer.body.data.code, answer.body.data.state]).toEqual([
      409,
      'invalid_transition',
      'draft',
    ]);
  });
});
