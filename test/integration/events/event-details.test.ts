// Reading one event: masked secrets, and the history of attempts.
import { newId } from '../../../src/base/ids.ts';
import type { SetStep } from '../../../src/processing/sets/commit-part.ts';
import { writeOutcomes } from '../../../src/store/events/outcomes.ts';
import { runSetTransaction } from '../../../src/store/sets/set-transaction.ts';
import { takeEvents } from '../../../src/store/sets/sets.ts';
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
  const onStep = (step: SetStep) =>
    step === 'write' ? Promise.reject(new Error('broken')) : Promise.resolve();
  await api.newProcessing({ onStep })([id]);
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

test('an event that a set has is shown as processed, with its attempt in progress', async () => {
  const webhook = await api.addWebhook();
  const id = await api.send(webhook, { id: 'r4', lead: { id: 'L4' } });
  const shown: unknown[] = [];
  const onStep = async (step: SetStep): Promise<void> => {
    if (step === 'taken') shown.push((await read(id)).body.data);
  };
  await api.newProcessing({ onStep })([id]);
  const [data] = shown;
  expect(data).toMatchObject({
    state: 'processing',
    attemptHistory: [{ worker: expect.stringMatching(/:\d+$/), outcome: null, endedAt: null }],
  });
  const { state, timeline } = (await read(id)).body.data;
  expect(state).toBe('done');
  expect(timeline.map((line: { state: string }) => line.state)).toEqual([
    'received',
    'processing',
    'done',
  ]);
});

test('the beginning and the end of a long timeline are kept', async () => {
  const webhook = await api.addWebhook();
  const id = await api.send(webhook, { id: 'r3', lead: { id: 'L3' } });
  const { connection } = api.stores;
  const session = connection.getClient().startSession();
  const tx = { connection, session };
  for (let n = 0; n < 120; n += 1) {
    const terms = { token: newId(), worker: `t${n}`, session, alone: true, now: new Date() };
    const taken = await takeEvents(connection, [id], terms);
    const retry = { kind: 'retry', reason: 'internal_error' } as const;
    const finishes = taken.map((event) => ({ event, outcome: retry, delayMs: -1_000 }));
    await runSetTransaction(tx, { token: terms.token, eventIds: null }, () =>
      writeOutcomes(tx, finishes, terms.worker),
    );
  }
  await session.endSession();
  const { attemptHistory, timeline } = (await read(id)).body.data;
  const workers = attemptHistory.map(({ worker }: { worker: string }) => worker);
  // Each attempt is one stored line, and is shown with its begin.
  expect(timeline).toHaveLength(199);
  expect(timeline[0]).toMatchObject({ state: 'received', reason: null });
  expect(workers.slice(0, 19)).toEqual(Array.from({ length: 19 }, (_, n) => `t${n}`));
  expect(workers.slice(19)).toEqual(Array.from({ length: 80 }, (_, n) => `t${n + 40}`));
});
