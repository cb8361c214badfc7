// The setup (chapter 4.2 of the specification) in the console: from an empty system through seven steps to the
// first message, in every language and on a phone; and the number of clicks for producers with a correct
// suggestion.
import type { Visit } from '../../../../support/console/console.ts';
import { sampleOf } from '../../../../support/console/seed-producers.ts';
import { setUp, signInAndStartSetup, takeUrl } from '../../../../support/console/setup-steps.ts';
import { fitsPhone, phone } from '../../../../support/console/phone.ts';
import { adminToken } from '../../../../support/processes/roles.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

/** The first event is stored as a sample. */
async function sendFirst(visit: Visit, payload: unknown): Promise<string> {
  const url = await takeUrl(visit);
  expect(await inlet.deliver(url, payload)).toMatchObject({ data: { mode: 'sample' } });
  return url;
}

/** The first real event: its contact and chat appear automatically. */
async function sendReal(
  { find, textOf }: Visit,
  url: string,
  story: { payload: unknown; person: string },
) {
  const { data } = await inlet.deliver(url, story.payload);
  await inlet.settled(data.eventId ?? '');
  await find('link', textOf('setup.contactOf', { name: story.person })).waitFor();
}

describe('from an empty system to the message', () => {
  const person = 'Ana Souza';
  const payload = {
    event_id: 'evt-1',
    lead: { id: 7, name: person, phone: '(11) 90000-0001', email: 'ana@example.com' },
    message: 'Olá, quanto custa o azul?\nObrigado!',
  };
  beforeEach(() => inlet.empty());

  test.each([
    { title: 'en', language: 'en' as const },
    { title: 'pt-BR', language: 'pt-BR' as const },
    { title: 'es, on a phone', language: 'es' as const, ...phone },
  ])('$title', async (looks) => {
    await inlet.visit(looks, async (visit) => {
      const { find, textOf, waitFor, follow } = visit;
      const isPhone = 'width' in looks;
      const look = isPhone ? (step: string) => fitsPhone(visit, step) : undefined;
      await follow(textOf('overview.first.action'));
      let url = '';
      const send = async () => void (url = await sendFirst(visit, payload));
      await setUp(visit, { name: 'Contact form', person, send, look });
      await sendReal(visit, url, { payload, person });

      // A resend has no effects.
      expect(await inlet.deliver(url, payload)).toMatchObject({ data: { duplicate: true } });
      await follow(textOf('setup.chat'));
      // The previous page contains the name too.
      const chat = await waitFor('region', textOf('inbox.chatWith', { name: person }));
      const message = chat.getByRole('listitem').filter({ hasText: 'Olá, quanto custa o azul?' });
      await message.waitFor();
      expect(await message.count()).toBe(1);
      await look?.('chat');
      await follow(textOf('shell.overview'), find('navigation', textOf('shell.places')));
      const notices = find('status', textOf('overview.notices'));
      await notices.filter({ hasText: textOf('overview.well') }).waitFor();
    });
  });
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
