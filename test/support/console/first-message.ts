// From an empty system through the seven steps of the setup to the first message, as a person sees it.
import { inlet } from './shared-console.ts';
import type { Visit, VisitOptions } from './console.ts';
import { fitsPhone } from './phone.ts';
import { setUp, takeUrl } from './setup-steps.ts';

/** The first event is stored as a sample. */
export async function sendFirst(visit: Visit, payload: unknown): Promise<string> {
  const url = await takeUrl(visit);
  expect(await inlet.deliver(url, payload)).toMatchObject({ data: { mode: 'sample' } });
  return url;
}

/** The first real event: its contact and chat appear automatically. */
export async function sendReal(
  { find, textOf }: Visit,
  url: string,
  story: { payload: unknown; person: string },
) {
  const { data } = await inlet.deliver(url, story.payload);
  await inlet.settled(data.eventId ?? '');
  await find('link', textOf('setup.contactOf', { name: story.person })).waitFor();
}

const person = 'Ana Souza';
const payload = {
  event_id: 'evt-1',
  lead: { id: 7, name: person, phone: '(11) 90000-0001', email: 'ana@example.com' },
  message: 'Olá, quanto custa o azul?\nObrigado!',
};

/** Empties Inlet before. With a width, the size of a phone, every step has to fit it. */
export async function reachFirstMessage(looks: VisitOptions): Promise<void> {
  await inlet.empty();
  await inlet.visit(looks, async (visit) => {
    const { find, textOf, waitFor, follow } = visit;
    const isPhone = looks.width !== undefined;
    const look = isPhone ? (step: string) => fitsPhone(visit, step) : undefined;
    await follow(textOf('overview.first.action'));
    let url = '';
    const send = async () => void (url = await sendFirst(visit, payload));
    await setUp(visit, { name: 'Contact form', country: 'BR', person, send, look });
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
}
