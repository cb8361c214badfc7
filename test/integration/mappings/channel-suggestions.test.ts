// A webhook that receives what a channel's service posts is suggested the mapping of its producer, which the conversation needs whole.
import { channelKinds } from '../../../src/channels/registry.ts';
import { producers } from '../../../src/producers/registry.ts';
import { samples } from '../../../src/producers/samples/samples.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { insertChannel } from '../../../src/store/channels/channels.ts';

const actor = { tokenId: 'test', name: 'test' };
let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('channel_suggestions');
});
afterAll(() => api.close());

const services = Object.values(channelKinds).flatMap(({ kind, inbound }) =>
  (inbound?.producers ?? []).map((name) => [kind, name as keyof typeof producers] as const),
);

test('there are services of several kinds', () => {
  expect(new Set(services.map(([kind]) => kind))).toEqual(
    new Set(['smtp', 'telegram', 'whatsapp']),
  );
});

test.each(services)(
  'in a channel of kind %s, of %s; not in another channel',
  async (kind, name) => {
    async function suggested(inKind: keyof typeof channelKinds) {
      const channel = { name: inKind, kind: inKind, settings: {} };
      const { _id: channelId } = await insertChannel(api.stores, channel, actor);
      const body = { name, channelId, producerProfile: name };
      const made = await api.ask('POST', '/v1/admin/webhooks', { body });
      const path = `/v1/admin/webhooks/${made.body.data.id}/mappings/suggest`;
      const answer = await api.ask('POST', path, { body: { payloads: [samples[name]] } });
      expect(answer.status).toBe(200);
      return answer.body.data;
    }
    const { starterMapping } = producers[name];
    const { mapping, confidence, evidence } = await suggested(kind);
    expect(mapping).toEqual(starterMapping);
    expect(confidence).toMatchObject({ eventId: 1, 'contact.name': 1, 'message.text': 1 });
    expect(Object.keys(evidence)).toEqual(Object.keys(confidence));
    expect((await suggested('inbox')).mapping).not.toEqual(starterMapping);
  },
);
