import { Writable } from 'node:stream';
import { newSecret } from '../../../src/base/ids.ts';
import {
  createLogger,
  keyPrefix,
  maskSecrets,
  tokenPrefix,
} from '../../../src/base/observability/logger.ts';

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

test('a line is JSON with level name, time, role and message', () => {
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

test('a level below the configured one is not written', () => {
  const lines: string[] = [];
  const out = new Writable({
    write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()),
  });
  const logger = createLogger({ level: 'warn', role: 'test', out });
  logger.info('no');
  logger.warn('yes');
  expect(lines).toHaveLength(1);
});

const log = (err: unknown) => {
  const { logger, lines, parsed } = createLines();
  logger.warn({ err }, 'told');
  return { line: lines.join(''), err: parsed()[0]?.err };
};

test('an error is logged with message, code, frames and causes, and without its other fields', () => {
  const cause = Object.assign(new Error('the cause'), { result: ['a document'] });
  const error = Object.assign(new TypeError('the words', { cause }), {
    code: 'E_CODE',
    codeName: 'Named',
    op: { text: 'a document' },
    errors: [Object.assign(new Error('one of many'), { command: { args: ['a document'] } })],
  });
  const told = log(error);
  expect(told.line).not.toContain('a document');
  expect(told.err).toEqual({
    type: 'TypeError',
    message: 'the words',
    code: 'E_CODE',
    codeName: 'Named',
    stack: expect.stringMatching(/^TypeError: the words\n +at .*logger\.test/),
    cause: { type: 'Error', message: 'the cause', stack: expect.stringContaining(' at ') },
    errors: [expect.objectContaining({ type: 'Error', message: 'one of many' })],
  });
});

test.each([
  [
    'MongoServerError',
    'E11000 duplicate key error index: once dup key: { phone: "+5511" }',
    'E11000',
  ],
  ['MongoBulkWriteError', "Failed to parse number '+5511' in $convert", 'Failed to parse'],
  ['CastError', 'Cast to date failed for value "+5511\n    at x (a.js:1:1)"', 'Cast to date'],
  ['SyntaxError', 'Unexpected token +, "+5511" is not valid JSON', 'Unexpected token'],
])('the message of a %s is cut where it quotes data', (name, words, kept) => {
  const { line } = log(Object.assign(new Error(words), { name, code: 11_000 }));
  expect(line).toContain(kept);
  expect(line).toContain('11000');
  expect(line).not.toContain('5511');
  expect(line).not.toContain('a.js');
  // Changed after the stack was written.
  const error = new Error(words);
  Object.assign(error, { name, message: 'other words' });
  expect(log(error).line).not.toContain('5511');
});

test('a thrown value that is not an error is logged by its type', () => {
  expect(log({ text: 'a document' }).err).toBe('object');
  expect(log('words').err).toBe('words');
});

test('a cycle of causes is logged with limited depth', () => {
  const error = new Error('first');
  error.cause = new Error('second', { cause: error });
  expect(log(error).line).toContain('second');
});
