import { parseEmail } from '../../../../src/domain/people/email.ts';

test.each([
  ' Ana@Example.com ',
  'Ana <ana@example.com>',
  '"Exemplo, Ana" <ana@example.com>;',
  '<ana@example.com>',
  '<mailto:ana@example.com|ana@example.com>',
  'mailto:ana@example.com?subject=Hi',
  'E-mail: ana@example.com',
  'ana@example.com (work)',
  'ana@example.com;',
  '"ana@example.com"',
  "'ana@example.com'",
  "'ana@example.com",
  '="ana@example.com"',
  '["ana@example.com"]',
  'ana%40example.com',
  'ａｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ',
  '\u00a0ana@example.com\u200b',
  '<a href="mailto:ana@example.com">ana@example.com</a>',
])('%j is ana@example.com', (text) => expect(parseEmail(text)).toBe('ana@example.com'));

test.each([
  'a@example.com, b@example.com',
  'a@example.com <b@example.com>',
  '["a@example.com","b@example.com"]',
  'ana@',
  'Ana',
  '<>',
  'mailto:',
  '{{email}}',
  `Ana <${'a'.repeat(65)}@example.com>`,
  `${'<'.repeat(500)}`,
  `${' '.repeat(255)}<${' '.repeat(200)}`,
])('%j is no address', (text) => expect(parseEmail(text)).toBeNull());
