// Mails as each service posts them, and what the shared mapping reads of them.
import type { Payload } from '../../../src/domain/mappings/mapping.ts';
import { applyItem } from '../../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { senderIn, senderOf } from '../../../src/producers/mail/address.ts';
import { readReply } from '../../../src/producers/mail/reply-text.ts';
import { detectProducer, producers } from '../../../src/producers/registry.ts';
import {
  mailServices,
  requestOf,
  type MailService,
  type ReceivedMail,
} from '../../support/destinations/mail-services.ts';

const payloadOf = (service: MailService, mail: ReceivedMail): Payload => {
  const { headers, body } = requestOf(service, mail);
  const decoded = producers[service].decodeBody({
    contentType: headers['content-type'],
    body: Buffer.from(body),
  });
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.message));
  return { body: decoded.value, headers, query: {} };
};

type Mail = {
  readonly automatic: string | null;
  readonly bounce: unknown;
  readonly references: readonly string[];
};
const mailOf = (service: MailService, mail: ReceivedMail = {}): Mail =>
  JSON.parse(JSON.stringify((payloadOf(service, mail).body as { mail: Mail }).mail)) as Mail;

function mapped(service: MailService, mail: ReceivedMail) {
  const compiled = compileMapping(producers[service].starterMapping);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return applyItem(compiled.mapping, payloadOf(service, mail), { defaultRegion: 'BR' });
}

const history = `Em ter., 6 de jan. de 2026 às 09:00, Desk <desk@example.org>
escreveu:

> Custa dez.
> Desk`;

describe.each(mailServices)('%s', (service) => {
  test('the first mail of a person has its subject, its text and its files', () => {
    const file = {
      name: 'pedido.pdf',
      contentType: 'application/pdf',
      content: 'x'.repeat(34_000),
    };
    const found = mapped(service, { text: 'Quanto custa?\n\n-- \nAna\n+55 11 90000-0001', file });
    expect(found).toMatchObject({
      ignored: null,
      failure: null,
      problems: [],
      eventId: 'ana@example.com <CAF1@mail.example.com>',
      eventDate: null,
      contact: { email: 'ana@example.com', name: 'Ana Exemplo', phone: null, externalId: null },
      message: { text: 'Preço\n\nQuanto custa?\n\n[pedido.pdf, 34 kB]' },
    });
  });

  test('an answer has the new text only', () => {
    const headers = [
      ['In-Reply-To', '<inlet.1@example.org>'],
      ['References', '<a@x>\n <inlet.1@example.org>'],
    ] as const;
    const mail = { text: `Fechado!\n\n${history}`, subject: 'Re: Preço', headers };
    expect(mapped(service, mail).message.text).toBe('Fechado!');
    expect(mailOf(service, mail)).toMatchObject({
      inReplyTo: '<inlet.1@example.org>',
      references: ['<a@x>', '<inlet.1@example.org>'],
      automatic: null,
      history,
    });
  });

  test('HTML is read where there is no text', () => {
    const html = '<style>p{}</style><p>Fechado &amp; pago</p><p>Obrigada</p>';
    const headers = [['In-Reply-To', '<inlet.1@example.org>']] as const;
    expect(mapped(service, { text: '', html, headers }).message.text).toBe(
      'Fechado & pago\nObrigada',
    );
    expect(mapped(service, { text: 'só texto', html, headers }).message.text).toBe('só texto');
  });

  test('a mail without a word is a mail', () => {
    expect(mapped(service, { text: '', subject: '' }).message.text).toBe('[mail]');
  });

  test.each([
    ['auto_reply', { headers: [['Auto-Submitted', 'auto-replied (vacation)']] }],
    ['auto_reply', { headers: [['Precedence', 'auto_reply']] }],
    ['auto_reply', { headers: [['X-Autoreply', 'yes']] }],
    ['auto_reply', { headers: [['Auto-Submitted', 'auto-generated']], from: 'postmaster-x@x.org' }],
    ['bounce', { from: 'Mail Delivery System <MAILER-DAEMON@mx.example.com>' }],
    ['bounce', { headers: [['X-Failed-Recipients', 'ana@example.com']] }],
    [
      'bounce',
      { headers: [['Content-Type', 'multipart/report; report-type=delivery-status; boundary=x']] },
    ],
    [
      'auto_reply',
      {
        headers: [['Content-Type', 'multipart/report; report-type=disposition-notification']],
      },
    ],
    [null, { headers: [['Auto-Submitted', 'no']] }],
    [null, { headers: [['Precedence', 'bulk']] }],
    [
      null,
      {
        headers: [
          ['Precedence', 'list'],
          ['List-Id', '<contato.loja.example.com>'],
        ],
      },
    ],
    [null, { from: 'postmaster@example.com' }],
  ] as const)('%s: %j', (automatic, mail) => {
    expect(mailOf(service, mail as ReceivedMail).automatic).toBe(automatic);
  });

  test('a mail without a sender of the envelope is automatic', () => {
    expect(mailOf(service, { returnPath: '' }).automatic).toBe('auto_reply');
  });

  test('it is detected', () => {
    expect(detectProducer(payloadOf(service, {}))[0]?.name).toBe(service);
    const bare = { ...payloadOf(service, {}), headers: {} };
    expect(detectProducer(bare)[0]?.name).toBe(service);
  });

  test('a body of another kind is no error', () => {
    for (const text of ['{}', '[]', '{"mail":{"text":"x"},"Headers":7,"from":[],"headers":"x"}']) {
      const contentType = 'application/json';
      const decoded = producers[service].decodeBody({ contentType, body: Buffer.from(text) });
      expect(decoded.ok).toBe(true);
    }
  });
});

test('a header named like the member of a mail changes nothing', () => {
  const mail = { headers: [['mail', '{"from":{"address":"boss@example.org"}}']] as const };
  expect(mailOf('mailgun', mail)).toMatchObject({ from: { address: 'ana@example.com' } });
});

describe('a report of a mail that was not delivered', () => {
  const ours = '<inlet.0198c0de-0000-7000-8000-000000000001@example.org>';
  const older = '<inlet.0198c0de-0000-7000-8000-000000000000@example.org>';
  const report = 'multipart/report; report-type=delivery-status; boundary=x';
  const of = (text: string, headers: readonly (readonly [string, string])[] = []) =>
    mailOf('sendgrid', { text, headers: [['Content-Type', report], ...headers] }).bounce;

  test('names the mail, and not those that it answered', () => {
    const returned = `Action: failed\nStatus: 5.1.1\n\nReferences: ${older}\nMessage-ID: ${ours}\n`;
    expect(of(returned)).toEqual({ failed: true, status: '5.1.1', messageIds: [ours] });
    const refs = [['References', `${older} ${ours}`]] as const;
    expect(of('550 5.7.1 refused', refs)).toEqual({
      failed: true,
      status: '5.7.1',
      messageIds: [ours, older],
    });
  });

  test('reads the parts that Postmark posts as attachments', () => {
    const file = {
      name: 'details.txt',
      contentType: 'message/delivery-status',
      content: 'Reporting-MTA: dns; mx\n\nAction: failed\nStatus: 5.2.2\n',
    };
    const headers = [
      ['Content-Type', report],
      ['In-Reply-To', ours],
    ] as const;
    expect(mailOf('postmark', { text: 'It failed.', file, headers }).bounce).toEqual({
      failed: true,
      status: '5.2.2',
      messageIds: [ours],
    });
  });

  test.each([
    ['Action: delayed\nStatus: 4.4.1'],
    ['Action: relayed\nStatus: 2.0.0'],
    ['Your mail could not be delivered for four hours. It will be tried again.'],
  ])('%j is no failure', (text) => {
    expect(of(text)).toMatchObject({ failed: false });
  });
});

test.each<[string, string | null, string | null]>([
  ['Ana <ana@example.com>', 'ana@example.com', 'Ana'],
  ['"Exemplo, Ana" <Ana@Example.com>', 'ana@example.com', 'Exemplo, Ana'],
  ['ana@example.com', 'ana@example.com', null],
  ['"boss@example.org" <ana@example.com>', 'ana@example.com', 'boss@example.org'],
  ['"<boss@example.org>" ana@example.com', 'ana@example.com', null],
  ['ana@example.com (<boss@example.org>)', 'ana@example.com', null],
  ['ana@example.com, boss@example.org', null, null],
  ['<ana@example.com> <boss@example.org>', null, null],
  ['boss@example.org <ana@example.com>', 'ana@example.com', 'boss@example.org'],
  ['undisclosed', null, null],
  ['', null, null],
])('the sender of %j is %j', (text, address, name) => {
  const sender = senderIn(text);
  expect(sender?.address ?? null).toBe(address);
  expect(sender?.name ?? null).toBe(name);
});

test('a name is cut before its spaces are', () => {
  const name = `Ana${' '.repeat(1_000_000)}x`;
  expect(senderOf('ana@example.com', name)).toEqual({ address: 'ana@example.com', name: 'Ana' });
});

describe('the text of an answer', () => {
  test.each<[string, string, string]>([
    ['English', 'Yes.', 'On Tue, Jan 6, 2026 at 9:00 AM Desk <desk@example.org> wrote:\n\n> Ten.'],
    [
      'Spanish',
      'Sí.',
      'El mar, 6 ene 2026 a las 9:00, Desk (<desk@example.org>) escribió:\n> Diez.',
    ],
    ['French', 'Oui.', 'Le mar. 6 janv. 2026 à 09:00, Desk <desk@example.org> a écrit :\n\n> Dix.'],
    [
      'German',
      'Ja.',
      'Am Di., 6. Jan. 2026 um 09:00 Uhr schrieb Desk <desk@example.org>:\n\n> Zehn.',
    ],
    [
      'Outlook',
      'Sim.',
      '________________________________\nDe: Desk <desk@example.org>\nEnviado: terça-feira, 6 de janeiro de 2026\nPara: Ana\nAssunto: Preço\n\nCusta dez.',
    ],
    [
      'Outlook in English',
      'Yes.',
      'From: Desk <desk@example.org>\nSent: Tuesday, January 6, 2026 9:00 AM\nTo: Ana\nSubject: Price\n\nTen.',
    ],
    ['a divider', 'Sim.', '-----Mensagem original-----\nDe: Desk\n\nCusta dez.'],
    ['only quotes', 'Sim.', '> Custa dez.\n>\n> Desk'],
  ])('%s', (_what, text, quoted) => {
    expect(readReply(`${text}\r\n\r\n${quoted}`)).toEqual({
      text,
      history: quoted,
      signature: null,
    });
  });

  test('stands below the quotes', () => {
    const header = 'On Tue, Jan 6, 2026, Desk <desk@example.org> wrote:';
    const { text, history: quoted } = readReply(`${header}\n> Ten.\n\nYes.`);
    expect([text, quoted?.startsWith(header)]).toEqual(['Yes.', true]);
  });

  test('between quotes keeps them', () => {
    const whole = '> Color?\nBlue.\n> Size?\nLarge.';
    expect(readReply(whole)).toEqual({ text: whole, history: null, signature: null });
  });

  test.each([
    ['Sim.', '-- \nAna Exemplo\nExemplo Ltda.'],
    ['Sim.', 'Enviado do meu iPhone'],
    ['Sí.', 'Enviado desde mi iPhone'],
    ['Yes.', 'Get Outlook for iOS<https://aka.ms/x>'],
  ])('%j is without the signature %j', (text, signature) => {
    expect(readReply(`${text}\n\n${signature}`)).toEqual({ text, history: null, signature });
  });

  test.each([
    'Ele escreveu: quero dois.',
    'From: a cidade\nTo: outra',
    'Preço: 10\nData: amanhã',
    'On Monday I wrote:\nnothing',
    '---------- Forwarded message ---------\nFrom: Bia <bia@example.com>\nDate: Tue, 6 Jan 2026',
  ])('%j is all its own', (text) => {
    if (text.includes('Forwarded')) expect(readReply(text).text).toContain('Forwarded');
    else expect(readReply(text).text).toBe(text);
  });

  test('that quotes only is returned whole', () => {
    expect(readReply('> Custa dez.')).toEqual({
      text: '> Custa dez.',
      history: null,
      signature: null,
    });
  });

  test.each([
    ['lines that begin a quote', 'On 6 Jan\n'.repeat(30_000)],
    ['one long line', `On ${'6 <a@b> '.repeat(32_000)}`],
    ['long lines', `${'On 6 <a@b>'.repeat(35)}\n`.repeat(700)],
    ['blank lines', '\n'.repeat(260_000)],
    ['quotes', '> \n'.repeat(80_000)],
    ['dividers', `${'-'.repeat(60)}\n`.repeat(4_000)],
    ['senders', 'From: x\n'.repeat(30_000)],
  ])('costs work in proportion to its length: %s', (_what, text) => {
    const used = process.cpuUsage();
    readReply(text);
    const { user, system } = process.cpuUsage(used);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });
});
