// Reading one event: masked secrets, and the history of attempts.
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await createTestApi('http_event_reading');
});
afterAll(() => api.close());

const read = async (id: string, query = '', token?: string) =>
  api.ask('GET', `/v1/admin/events/${id}${query}`, token === undefined ? {} : { token });

test('secrets are shown only to operators on request, and the audit log records it', async () => {
  const webhook = await api.addWebhook();
  const id = await api.send(webhook, { id: 'r1', lead: { password: 'hush' } });
  const operator = await api.addToken(['operator']);
  expect((await read(id, '', operator)).text).not.toContain('hush');
  expect((await read(id, '?reveal=false', operator)).text).not.toContain('hush');
  const viewer = await api.addToken(['viewer']);
  // Before any look-up or check.
  for (const [one, query] of [
    [id, '?reveal=true'],
    [webhook._id, '?reveal=true'],
    [id, '?reveal=true&other=1'],
  ] as const) {
    expect((await read(one, query, viewer)).status).toBe(403);
  }
  const shown = await read(id, '?reveal=true', operator);
  expect(shown.body.data.payload.lead.password).toBe('hush');
  const rows = await api.connection.collection('audit').find({ 'target.id': id }).toArray();
  expect(rows).toMatchObject([
    { action: 'event.reveal', actor: { name: 'operator' }, before: null, after: null },
  ]);
  expect(JSON.stringify(rows)).not.toContain('hush');
});

test('an event shows each attempt, its worker, and when the next one is due', async () => {
  const webhook = await api.addWebhook();
  const id = await api.send(webhook, { id: 'r2', lead: { id: 'L2' } });
  const { stores } = api;
  const failing = {
    ...stores,
    messages: { ...stores.messages, insert: () => Promise.reject(new Error('broken')) },
  };
  await api.newProcessing({ stores: failing })([id]);
  const { data } = (await read(id)).body;
  expect(data).toMatchObject({
    state: 'waiting',
    attemptHistory: [
      {
        worker: expect.stringMatching(/:\d+$/),
        outcome: 'waiting',
        reason: data.reason,
        retryAt: data.nextAt,
      },
    ],
  });
  expect(data.attemptHistory[0].durationMs).toBeGreaterThanOrEqual(0);
  expect(Object.keys(data.timeline[0])).toEqual(['at', 'state', 'reason']);
});

test('the beginning and the end of a long timeline are kept', async () => {
  const webhook = await api.addWebhook();
  const id = await api.send(webhook, { id: 'r3', lead: { id: 'L3' } });
  for (let n = 0; n < 60; n += 1) {
    const token = `t${n}`;
    await api.stores.events.claim([id], { token, leaseMs: 60_000, worker: token });
    await api.stores.events.release(token, [id]);
  }
  const { attemptHistory, timeline } = (await read(id)).body.data;
  const workers = attemptHistory.map(({ worker }: { worker: string }) => worker);
  expect(timeline).toHaveLength(100);
  expect(timeline[0]).toMatchObject({ state: 'received', reason: null });
  expect(workers.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, n) => `t${n}`));
  expect(workers.slice(10)).toEqual(Array.from({ length: 40 }, (_, n) => `t${n + 20}`));
});
