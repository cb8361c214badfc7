// The setup (chapter 4.2 of the specification) in the console: from an empty system through seven steps to the
// first message, in every language and on a phone; and the number of clicks for producers with a correct
// suggestion.
import {
  reachFirstMessage,
  sendFirst,
  sendReal,
} from '../../../../support/console/first-message.ts';
import { sampleOf } from '../../../../support/console/seed-producers.ts';
import { setUp, signInAndStartSetup } from '../../../../support/console/setup-steps.ts';
import { phone } from '../../../../support/console/phone.ts';
import { adminToken } from '../../../../support/processes/roles.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

describe('from an empty system to the message', () => {
  test.each([
    { title: 'en', language: 'en' as const },
    { title: 'es, on a phone', language: 'es' as const, ...phone },
  ])('$title', ({ title: _title, ...looks }) => reachFirstMessage(looks));
});

describe('effort from sign-in to an active webhook', () => {
  beforeAll(async () => {
    await inlet.empty();
    await inlet.post('/v1/admin/channels', { name: 'Front desk', kind: 'inbox' });
  });

  test.each(['piperun.deal_automation', 'contact_form_7.cf7_to_webhook', 'typeform.form_response'])(
    '%s: at most twelve clicks, and no path is written',
    async (sample) => {
      const { body: payload, truth, producer } = sampleOf(sample);
      await inlet.visit({ token: null }, async (visit) => {
        await signInAndStartSetup(visit, adminToken);
        const person = String(truth.name.value);
        let url = '';
        const send = async () => void (url = await sendFirst(visit, payload));
        await setUp(visit, { name: producer, person, send });
        const { clicks, keys, pastes } = visit.count;
        process.stdout.write(`      ${sample}: ${JSON.stringify(visit.count)}\n`);
        expect(clicks).toBeLessThanOrEqual(12);
        // The name and nothing else.
        expect(keys).toBe(producer.length);
        expect(pastes).toBe(1);
        await sendReal(visit, url, { payload, person });
        const { e164 } = truth.phone;
        const found = await inlet.list(`/v1/admin/contacts?phone=${encodeURIComponent(e164)}`);
        expect(found.results).toMatchObject([{ name: person, phone: e164 }]);
      });
    },
  );
});
