// A key is rotated while a producer sends without pause: no request is rejected, and every acknowledged event is stored.
import { collectionOf } from '../support/services/collections.ts';
import { createTestApi, type TestApi } from '../support/context/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('rotated_without_loss');
});
afterAll(() => api.close());

test('no event is lost or rejected while a producer changes to its new key', async () => {
  const { _id: webhookId } = await api.addWebhook();
  const rotate = async (body: object): Promise<{ id: string; key: string }> => {
    const path = `/v1/admin/webhooks/${webhookId}/keys/rotate`;
    return (await api.ask('POST', path, { body })).body.data;
  };
  const old = await rotate({ overlapHours: 0 });
  let { key } = old;
  let isOver = false;
  const answers: { status: number; eventId: string }[] = [];
  const inHand = new Map<number, string>();
  let sent = 0;

  async function produce(sender: number): Promise<void> {
    for (let n = 0, isRefused = false; !isOver || isRefused; n += isRefused ? 0 : 1) {
      const body = { id: `${sender}-${n}`, lead: { id: `${sender}` } };
      inHand.set(sender, key);
      const { status, body: answer } = await api.ask('POST', `/v1/webhook/${key}`, {
        token: null,
        body,
      });
      sent += 1;
      // The server or its database was held up: the same event is sent again.
      isRefused = status === 503;
      if (!isRefused) answers.push({ status, eventId: answer.data.eventId });
    }
  }
  const when = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const grownBy = (more: number) => {
    const wanted = answers.length + more;
    return when(() => answers.length >= wanted);
  };
  const producers = Promise.all(Array.from({ length: 8 }, (_, sender) => produce(sender)));
  await grownBy(30);
  const next = await rotate({ overlapHours: 1 });
  await grownBy(30);
  key = next.key;
  await when(() => [...inHand.values()].every((one) => one === next.key));
  await api.ask('DELETE', `/v1/admin/webhooks/${webhookId}/keys/${old.id}`);
  await grownBy(30);
  isOver = true;
  await producers;

  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const ids = [...new Set(answers.map(({ eventId }) => eventId))];
  expect(ids).toHaveLength(answers.length);
  const stored = await collectionOf(api.connection, 'events').countDocuments({
    webhookId,
  });
  expect(stored).toBe(answers.length);

  await api.countUses();
  const { body } = await api.ask('GET', `/v1/admin/webhooks/${webhookId}/keys`);
  const uses = body.data.results.map((one: { uses: number }) => one.uses);
  const used = uses.reduce((sum: number, more: number) => sum + more, 0);
  expect(used).toBeGreaterThanOrEqual(answers.length);
  expect(used).toBeLessThanOrEqual(sent);
});
