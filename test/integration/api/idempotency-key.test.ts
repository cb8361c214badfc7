// Repeated requests with an Idempotency-Key: executed once, answered identically, and stored encrypted.
import mongoose from 'mongoose';
import { AppError } from '../../../src/base/errors.ts';
import { newId } from '../../../src/base/ids.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { withDeadline } from '../../../src/store/db/deadline.ts';
import type { IdempotencyRecord } from '../../../src/domain/access/idempotency.ts';
import { aChannel } from '../../support/context/builders.ts';
import type { Answer, RequestOptions } from '../../support/context/api-request.ts';
import { adminToken, createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
let channelId: string;
const path = '/v1/admin/webhooks';

beforeAll(async () => {
  api = await createTestApi('http_repeats');
  channelId = await aChannel(api);
});
afterAll(() => api.close());

const under = (key: string, { headers, ...ask }: RequestOptions = {}): RequestOptions => ({
  ...ask,
  headers: { 'idempotency-key': key, ...headers },
});
const make = (key: string, name: string, ask: RequestOptions = {}) =>
  api.ask('POST', path, under(key, { body: { name, channelId }, ...ask }));
const madeAs = async (name: string): Promise<number> =>
  (await api.ask('GET', `${path}?name=${name}`)).body.data.pagings.total;
const told = ({ status, body }: Answer) => [status, body.data.code];
const isRepeated = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';
const kept = () => collectionOf<IdempotencyRecord>(api.connection, 'idempotency');

test('a repeated creation under the same key returns the same webhook with the same secret URL', async () => {
  const key = newId();
  const first = await make(key, 'Twice');
  const second = await make(`"${key}"`, 'Twice');
  expect([first.status, isRepeated(first)]).toEqual([201, false]);
  expect([second.status, isRepeated(second)]).toEqual([201, true]);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  expect(await madeAs('Twice')).toBe(1);
});

test('of concurrent requests one is executed; the others get its answer, or Retry-After', async () => {
  const key = newId();
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => make(key, 'Raced')));
  const done = answers.filter(({ status }) => status === 201);
  expect(done.filter((answer) => !isRepeated(answer))).toHaveLength(1);
  expect(new Set(done.map(({ body }) => body.data.key)).size).toBe(1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect([...told(answer), answer.headers.get('retry-after')]).toEqual([409, 'conflict', '2']);
  }
  expect(isRepeated(await make(key, 'Raced'))).toBe(true);
  expect(await madeAs('Raced')).toBe(1);
});

test('a key belongs to one request: another body or another operation is rejected', async () => {
  const key = newId();
  await make(key, 'Mine');
  const other = await make(key, 'Other');
  expect(told(other)).toEqual([422, 'invalid_field']);
  expect(other.body.data.fields).toEqual([
    { path: 'Idempotency-Key', message: 'was used for another request' },
  ]);
  const elsewhere = { body: { name: 'Mine', kind: 'inbox' } };
  expect(told(await api.ask('POST', '/v1/admin/channels', under(key, elsewhere)))).toEqual([
    422,
    'invalid_field',
  ]);
  // The order of a body's members does not matter.
  const turned = { raw: `{"channelId":"${channelId}","name":"Mine"}` };
  expect(isRepeated(await api.ask('POST', path, under(key, turned)))).toBe(true);
  expect(await madeAs('Other')).toBe(0);
});

test('a key belongs to one token', async () => {
  const key = newId();
  const first = await make(key, 'Owned');
  const second = await make(key, 'Owned', { token: await api.addToken(['operator']) });
  expect([second.status, isRepeated(second)]).toEqual([201, false]);
  expect(second.body.data.key).not.toBe(first.body.data.key);
});

test.each([
  ['nothing', ''],
  ['256 characters', 'x'.repeat(256)],
  ['a tab', 'a\tb'],
  ['no ASCII', 'olé'],
  ['half a quotation', '"abc'],
])('a key of %s is rejected, and nothing is created', async (_what, key) => {
  const answer = await make(key, 'Malformed');
  expect([...told(answer), answer.body.data.fields[0].path]).toEqual([
    422,
    'invalid_field',
    'Idempotency-Key',
  ]);
  expect(await madeAs('Malformed')).toBe(0);
});

test('a malformed key is checked last: 404, 415 and 400 come before it', async () => {
  const bad = under('""');
  const told404 = told(await api.ask('POST', `${path}/nobody/pause`, bad));
  const typed = { raw: 'a', headers: { ...bad.headers, 'content-type': 'text/csv' } };
  const told415 = told(await api.ask('POST', path, typed));
  const told400 = told(await api.ask('POST', path, { ...bad, raw: '{' }));
  expect([told404[0], told415[0], told400[0]]).toEqual([404, 415, 400]);
});

test('the stored record reveals neither key nor token nor answer', async () => {
  const key = newId();
  const { body } = await make(key, 'Hidden');
  const stored = JSON.stringify(
    (await kept().find().toArray()).map((row) => ({
      ...row,
      answer: [String(row.answer?.toString('latin1')), row.answer?.toString('base64')],
    })),
  );
  expect(stored).toContain('leaseUntil');
  for (const secret of [key, adminToken, body.data.key, body.data.id, 'Hidden']) {
    expect(stored).not.toContain(secret);
  }
});

test('a rejection is stored as an answer of its key', async () => {
  const webhook = `${path}/${(await make(newId(), 'Refused')).body.data.id}`;
  const key = newId();
  const ask = { body: { mapping: { eventId: { path: 'id' } } } };
  const activate = (given: string) => api.ask('POST', `${webhook}/activate`, under(given));
  expect(told(await activate(key))).toEqual([409, 'setup_incomplete']);
  const sample = { body: { body: { id: '1' } } };
  expect((await api.ask('POST', `${webhook}/samples`, sample)).status).toBe(201);
  expect((await api.ask('POST', `${webhook}/mappings`, ask)).status).toBe(201);
  const again = await activate(key);
  expect([...told(again), isRepeated(again)]).toEqual([409, 'setup_incomplete', true]);
  expect((await activate(newId())).status).toBe(200);
});

test('a repetition gets the first answer although the resource has changed since', async () => {
  const webhook = `${path}/${(await make(newId(), 'Changed')).body.data.id}`;
  const tag = (await api.ask('GET', webhook)).headers.get('etag') ?? '';
  const archive = (key: string) =>
    api.ask('POST', `${webhook}/archive`, under(key, { headers: { 'if-match': tag } }));
  const key = newId();
  const first = await archive(key);
  expect(first.status).toBe(200);
  const repeated = await archive(key);
  expect([repeated.status, repeated.body, isRepeated(repeated)]).toEqual([200, first.body, true]);
  expect(told(await archive(newId()))).toEqual([412, 'precondition_failed']);
});

test('requests that change nothing are executed again, and a revoked token gets no stored answer', async () => {
  const webhook = `${path}/${(await make(newId(), 'Read')).body.data.id}`;
  const body = { mapping: {}, payload: { body: {} } };
  const key = newId();
  for (const _ of [1, 2]) {
    const preview = await api.ask('POST', `${webhook}/mappings/preview`, under(key, { body }));
    expect([preview.status, isRepeated(preview)]).toEqual([200, false]);
  }
  await make(key, 'Heard');
  expect((await make(key, 'Heard', { token: 'a-token-that-never-was' })).status).toBe(401);
});

describe('an answer that is large', () => {
  /** Stores one answer of this size in characters, and repeats its request. */
  async function repeat(tokenId: string, characters: number) {
    const attempt = await api.context.attempt({ secret: adminToken, key: newId(), tokenId });
    const work = { execute: async () => 'x'.repeat(characters), shorten: () => 'short' };
    await attempt.once('same', work);
    return (await attempt.once('same', work)).answer === 'short' ? 'short' : 'whole';
  }

  test('is not stored: the request is not executed again, and names what it made', async () => {
    const { body } = await make(newId(), 'Large');
    const samples = `${path}/${body.data.id}/samples`;
    const key = newId();
    const large = { body: { text: 'x'.repeat(300_000) } };
    const first = await api.ask('POST', samples, under(key, { body: large }));
    expect([first.status, isRepeated(first)]).toEqual([201, false]);
    const second = await api.ask('POST', samples, under(key, { body: large }));
    expect([second.status, isRepeated(second)]).toEqual([409, true]);
    expect(second.body.data).toMatchObject({
      code: 'conflict',
      state: 'already_executed',
      id: first.body.data.id,
    });
    expect((await api.ask('GET', samples)).body.data.pagings.total).toBe(1);
  });

  test('is stored up to 256 KiB, and up to 16 MiB of a token; small ones always', async () => {
    expect([await repeat('a', 190_000), await repeat('a', 200_000)]).toEqual(['whole', 'short']);
    const answers: string[] = [];
    for (let n = 0; n < 70; n += 1) answers.push(await repeat('b', 190_000));
    expect(answers.slice(0, 60)).not.toContain('short');
    expect(answers.at(-1)).toBe('short');
    expect([await repeat('b', 2_000), await repeat('c', 190_000)]).toEqual(['whole', 'whole']);
  });
});

describe('an attempt', () => {
  const begin = async (key: string) => {
    const attempt = await api.context.attempt({ secret: adminToken, key, tokenId: 't' });
    return {
      once: <Answer>(asked: string, execute: () => Promise<Answer>) =>
        attempt.once(asked, { execute, shorten: (answer) => answer }),
    };
  };
  const expire = (where: object = {}) =>
    kept().updateMany({ answer: { $exists: false }, ...where }, [
      { $set: { leaseUntil: { $subtract: ['$$NOW', 1] } } },
    ]);

  test('that failed is executed again', async () => {
    const key = newId();
    const away = () => Promise.reject(new AppError('unavailable'));
    await expect((await begin(key)).once('same', away)).rejects.toThrow(/temporarily unavailable/);
    const second = await (await begin(key)).once('same', () => Promise.resolve('done'));
    expect(second).toEqual({ answer: 'done', isRepeated: false });
  });

  const mongoError = (...labels: string[]) => {
    const error = new mongoose.mongo.MongoError('Nobody knows.');
    for (const label of labels) error.addErrorLabel(label);
    return new AppError('unavailable', { cause: error });
  };
  const transient = 'TransientTransactionError';
  test.each([
    ['a rejection', new AppError('conflict', { retryAfterMs: 1 }), true],
    ['a transaction that was given up', mongoError(transient), true],
    ['a database that did not answer', mongoError(), false],
    ['a commit with an unknown result', mongoError('UnknownTransactionCommitResult'), false],
    ['an unexpected error', new TypeError('After the change?'), false],
  ])('that ended with %s frees its key at once: %j', async (_what, error, isFree) => {
    const key = newId();
    await expect((await begin(key)).once('same', () => Promise.reject(error))).rejects.toBe(error);
    const again = (await begin(key)).once('same', () => Promise.resolve('done'));
    if (isFree) expect(await again).toEqual({ answer: 'done', isRepeated: false });
    else await expect(again).rejects.toMatchObject({ code: 'conflict', retryAfterMs: 2_000 });
  });

  test('whose command MongoDB did not answer in time is locked: it may still be executed', async () => {
    const key = newId();
    const cutOff = () =>
      withDeadline(
        ({ signal }) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason as Error)),
          ),
        1,
      );
    await expect((await begin(key)).once('same', cutOff)).rejects.toThrow(/did not answer/);
    const again = (await begin(key)).once('same', () => Promise.resolve('done'));
    await expect(again).rejects.toMatchObject({ code: 'conflict', retryAfterMs: 2_000 });
  });

  test('whose process died is locked until its lease ends, and then executed again', async () => {
    const key = newId();
    let finish: (answer: string) => void = () => undefined;
    const late = new Promise<string>((resolve) => (finish = resolve));
    let isBegun: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (isBegun = resolve));
    const first = (await begin(key)).once('same', () => {
      isBegun();
      return late;
    });
    await begun;
    const ask = async (answer: string) =>
      (await begin(key)).once('same', () => Promise.resolve(answer));
    await expect(ask('second')).rejects.toMatchObject({ code: 'conflict', retryAfterMs: 2_000 });
    await expire();
    const other = (await begin(key)).once('another', () => Promise.resolve('other'));
    await expect(other).rejects.toMatchObject({ code: 'invalid_field' });
    expect(await ask('third')).toEqual({ answer: 'third', isRepeated: false });
    // The process was only slow: its answer comes too late to be stored.
    finish('first');
    expect(await first).toEqual({ answer: 'first', isRepeated: false });
    expect(await ask('fourth')).toEqual({ answer: 'third', isRepeated: true });
  });

  test('is deleted after a day, and its key is free again', async () => {
    const key = newId();
    const ask = async (asked: string) =>
      (await begin(key)).once(asked, () => Promise.resolve(asked));
    await ask('first');
    const { _id } = (await kept().findOne({}, { sort: { expiresAt: -1 } })) ?? { _id: '' };
    const [{ hours } = { hours: 0 }] = await kept()
      .aggregate<{ hours: number }>([
        { $match: { _id } },
        {
          $project: {
            hours: { $dateDiff: { startDate: '$$NOW', endDate: '$expiresAt', unit: 'hour' } },
          },
        },
      ])
      .toArray();
    expect([23, 24]).toContain(hours);
    await kept().updateOne({ _id }, [{ $set: { expiresAt: '$$NOW' } }]);
    expect(await ask('second')).toEqual({ answer: 'second', isRepeated: false });
  });
});
