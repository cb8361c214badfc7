// Previews, suggestions and mappings that would keep a server busy for seconds: it answers other requests in between, and
// refuses what exceeds the work limit.
import { adminToken, createDeployment, type Deployment } from '../../support/processes/roles.ts';

let inlet: Deployment;
let url = '';
let id = '';
beforeAll(async () => {
  inlet = await createDeployment('expensive');
  url = (await inlet.start('server')).url ?? '';
  id = (await inlet.client.addActiveWebhook({ contact: { externalId: { path: 'id' } } })).id;
});
afterAll(() => inlet.close());

type Answered = { status: number; retryAfter: string | null; body: { data: { code?: string } } };

async function post(action: string, body: object): Promise<Answered> {
  const response = await fetch(`${url}/v1/admin/webhooks/${id}/mappings/${action}`, {
    method: 'POST',
    headers: { keyapi: adminToken, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter, body: (await response.json()) as Answered['body'] };
}

/** Returns the answer, and how many other requests were answered one after another while it was waited for. */
async function whileOthersAsk(
  asked: Promise<Answered>,
): Promise<{ answer: Answered; others: number }> {
  let answer: Answered | undefined;
  void asked.then((given) => (answer = given));
  let others = 0;
  while (answer === undefined) {
    await fetch(`${url}/v1/webhook/unknown`).then((response) => response.text());
    others += 1;
  }
  return { answer, others };
}

const fields = (count: number, source: object) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, source]));
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test('a preview of 1,000 expensive items lets other requests through', async () => {
  const mapping = {
    split: 'items',
    contact: { name: { path: 'length(map(&map(&@, $.a), $.a))', root: true } },
  };
  const body = { a: numbers(2_000), items: numbers(1_000).map((n) => ({ id: n })) };
  const { answer, others } = await whileOthersAsk(post('preview', { mapping, payload: { body } }));
  expect([200, 422]).toContain(answer.status);
  // In one stretch it would let two through: one before it begins, and one that waits for its end.
  expect(others).toBeGreaterThan(2);
});

test('a preview beyond the work of a request is refused', async () => {
  const text = { path: 't', root: true };
  const mapping = { split: 'items', contact: { fields: fields(10, text) }, message: { text } };
  const body = { t: 'x'.repeat(60_000), items: numbers(1_000).map((n) => ({ id: n })) };
  const { answer } = await whileOthersAsk(post('preview', { mapping, payload: { body } }));
  expect(answer).toMatchObject({ status: 422, body: { data: { code: 'invalid_field' } } });
});

test('thousands of patterns are refused without compiling them all', async () => {
  const transforms = Array(20).fill({ replace: { pattern: '(\\pL{30}){30}' } });
  const source = {
    first: [
      { path: 'a', transforms },
      { path: 'a', transforms },
    ],
  };
  const mapping = { contact: { fields: fields(90, source) } };
  const answer = await post('preview', { mapping, payload: { body: { a: 'x' } } });
  expect(answer).toMatchObject({
    status: 422,
    body: { data: { code: 'invalid_mapping', fields: [{ kind: 'too_much_work' }] } },
  });
});

test('a suggestion from a payload of 45,000 keys lets other requests through', async () => {
  const body = Object.fromEntries(numbers(45_000).map((n) => [`phone_${n}`, `x${n}`]));
  const { answer, others } = await whileOthersAsk(post('suggest', { payloads: [{ body }] }));
  expect(answer.status).toBe(200);
  expect(others).toBeGreaterThan(1);
});

test('many at once are limited for their token', async () => {
  const mapping = { split: 'a', contact: { name: { path: '$.a[?@ > `5`] | [0]', root: true } } };
  const payload = { body: { a: numbers(900) } };
  const answers = await Promise.all(numbers(8).map(() => post('preview', { mapping, payload })));
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited.length).toBeGreaterThan(0);
  expect(limited[0]).toMatchObject({ retryAfter: '1', body: { data: { code: 'rate_limited' } } });
  expect(answers.some(({ status }) => status !== 429)).toBe(true);
});
