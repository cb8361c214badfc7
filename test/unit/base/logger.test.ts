import { Writable } from 'node:stream';
import { newSecret } from '../../../src/base/ids.ts';
import { createLogger, keyPrefix, maskSecrets, tokenPrefix } from '../../../src/base/logger.ts';

function createLines() {
  const lines: string[] = [];
  const out = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logger = createLogger({ level: 'trace', role: 'test', out });
  const parsed = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger, lines, parsed };
}

test('a line is JSON with its level as a word, its time, its role and its message', () => {
  const { logger, parsed } = createLines();
  logger.info({ eventId: 'e1' }, 'event.received');
  expect(parsed()).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      role: 'test',
      pid: process.pid,
      eventId: 'e1',
      msg: 'event.received',
    },
  ]);
});

test.each([keyPrefix, tokenPrefix])(
  'a secret that begins with %s is in no part of a line',
  (prefix) => {
    const secret = newSecret(prefix);
    const { logger, lines, parsed } = createLines();
    const error = new Error(`bad ${secret}`, { cause: new Error(secret) });
    Object.assign(error, { detail: { deep: [secret] } });
    logger.error({ err: error, [secret]: 1, url: `/x?k=${secret}` }, `told ${secret}`);
    logger.child({ secret }).warn(secret);
    expect(parsed()).toHaveLength(2);
    expect(lines.join('')).not.toContain(secret.slice(prefix.length));
    expect(lines.join('')).toContain('inlet_');
  },
);

test.each([
  ['/v1/webhook/mistyped', '/v1/webhook/[key]'],
  ['POST /v1/webhook/mistyped?a=1 HTTP/1.1', 'POST /v1/webhook/[key]?a=1 HTTP/1.1'],
  ['https://x/v1/Webhook/%69nlet/more', 'https://x/v1/Webhook/[key]/more'],
  ['"/v1/webhook/abc"', '"/v1/webhook/[key]"'],
  ['/v1/webhook/', '/v1/webhook/'],
  ['/v1/webhooks/abc', '/v1/webhooks/abc'],
  ['nothing to hide', 'nothing to hide'],
])('%s is written as %s', (line, masked) => {
  expect(maskSecrets(line)).toBe(masked);
});

test('a level below the wanted one is not written', () => {
  const lines: string[] = [];
  const out = new Writable({
    write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()),
  });
  const logger = createLogger({ level: 'warn', role: 'test', out });
  logger.info('no');
  logger.warn('yes');
  expect(lines).toHaveLength(1);
});
