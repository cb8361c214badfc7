import fc from 'fast-check';
import { anyFormatBody } from '../../../src/producers/decode/body.ts';
import { maxDepth } from '../../../src/producers/decode/bounds.ts';
import { cpuMs } from '../../support/fixtures/cpu-ms.ts';

const form = 'application/x-www-form-urlencoded';
const multipartType = 'multipart/form-data; boundary=X';
const parameters = `Content-Disposition: form-data${'; name="a'.repeat(1_000)}`;

describe('any bytes', () => {
  const types = [form, multipartType, 'text/xml', 'text/plain', undefined];
  const pieces = fc.constantFrom(
    '[',
    ']',
    '=',
    '&',
    '%',
    '%5B',
    '%E3',
    '<',
    '>',
    '</',
    '/>',
    '<a>',
    '</a>',
    '"',
    "'",
    '--X',
    '\r\n',
    '--',
    ' ',
    'Content-Disposition: form-data; name="a"',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?',
    '?>',
    '<!DOCTYPE',
    '&#',
    ';',
    '0',
    '1',
    'a',
    '__proto__',
    'constructor',
    '{',
    '}',
    '\0',
    'é',
    '\u{1f600}',
  );
  const texts = fc.array(pieces, { maxLength: 60 }).map((some) => some.join(''));

  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0;
  const objectsIn = (value: unknown): object[] => {
    if (typeof value !== 'object' || value === null) return [];
    return [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(objectsIn)];
  };

  test('the result is a failure or a bounded value without prototypes, the same each time', () => {
    const bytes = fc.oneof(
      texts.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 100 }).map((some) => Buffer.from(some)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...types), bytes, (contentType, body) => {
        const decoded = anyFormatBody.decodeBody({ contentType, body });
        expect(JSON.stringify(anyFormatBody.decodeBody({ contentType, body }))).toBe(
          JSON.stringify(decoded),
        );
        if (!decoded.ok) return;
        expect(depthOf(decoded.value)).toBeLessThanOrEqual(maxDepth);
        for (const object of objectsIn(decoded.value)) {
          expect(Object.getPrototypeOf(object)).toBeNull();
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('a form without brackets and repeated names decodes as URLSearchParams does', () => {
    const name = fc.stringMatching(/^[a-z çã&=+%]{1,12}$/).map((text) => `k${text}`);
    fc.assert(
      fc.property(fc.dictionary(name, fc.string({ unit: 'grapheme' })), (fields) => {
        if (Object.keys(fields).length === 0) return;
        const body = Buffer.from(new URLSearchParams(fields).toString());
        const decoded = anyFormatBody.decodeBody({ contentType: form, body });
        const value = JSON.parse(JSON.stringify(decoded.ok && decoded.value)) as Record<
          string,
          unknown
        >;
        const { _json, ...rest } = value;
        expect(rest).toEqual({ ...fields });
      }),
    );
  });

  test.each<[string, string | undefined, string]>([
    ['one name', form, 'a=1&'.repeat(19_999)],
    ['many names', form, Array.from({ length: 19_999 }, (_, i) => `a${i}=1`).join('&')],
    [
      'indexes backwards',
      form,
      Array.from({ length: 19_999 }, (_, i) => `a[${20_000 - i}]=1`).join('&'),
    ],
    ['deep keys', form, `a${'[b]'.repeat(31)}=1&`.repeat(8_000)],
    ['text and object', form, 'a=1&a[b]=1&a[]=2&a[0]=3&'.repeat(4_900)],
    ['brackets alone', form, `${'['.repeat(500_000)}=1`],
    ['pairs of brackets', form, `a${'[]'.repeat(250_000)}=1`],
    ['percent signs', form, `a=${'%'.repeat(1_000_000)}`],
    ['escapes', form, `a=${'%E3'.repeat(300_000)}`],
    ['open tags', 'text/xml', '<a>'.repeat(300_000)],
    ['open brackets', 'text/xml', '<'.repeat(1_000_000)],
    ['ampersands', 'text/xml', `<a>${'&'.repeat(1_000_000)}</a>`],
    ['references', 'text/xml', `<a>${'&#65;'.repeat(200_000)}</a>`],
    [
      'attributes',
      'text/xml',
      `<a ${Array.from({ length: 40_000 }, (_, i) => `b${i}="1"`).join(' ')}/>`,
    ],
    ['wrong ends', 'text/xml', `<a>${'</b>'.repeat(250_000)}</a>`],
    ['open comments', 'text/xml', '<!--'.repeat(250_000)],
    ['almost boundaries', multipartType, `--X\r\n${'\r\n--'.repeat(250_000)}`],
    ['empty parts', multipartType, '--X\r\n'.repeat(200_000)],
    ['header lines', multipartType, `--X\r\n${'A: b\r\n'.repeat(150_000)}`],
    ['parameters', multipartType, `--X\r\n${parameters}\r\n\r\nx\r\n--X--`],
    ['words', 'text/plain', 'a='.repeat(500_000)],
  ])('a mebibyte of %s decodes within three seconds of CPU time', (_, type, text) => {
    const started = cpuMs();
    anyFormatBody.decodeBody({ contentType: type, body: Buffer.from(text) });
    expect(cpuMs() - started).toBeLessThan(3_000);
  });
});
