import fc from 'fast-check';
import { maxDepth, maxNodes, maxStringLength } from '../../../src/producers/decode/bounds.ts';
import { jsonBody } from '../../../src/producers/decode/json.ts';
import { cpuMs } from '../../support/fixtures/cpu-ms.ts';

const { acceptsContentType, decodeBody } = jsonBody;

const decode = (text: string | Buffer, contentType?: string) =>
  decodeBody({ contentType, body: Buffer.from(text) });

const valueOf = (text: string): unknown => {
  const decoded = decode(text);
  if (!decoded.ok) throw new Error(decoded.code);
  return decoded.value;
};

const objectsIn = (value: unknown): object[] => {
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(objectsIn)];
};

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('content types', () => {
  test.each([
    undefined,
    '',
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json; charset=us-ascii',
    'application/json; charset="US-ASCII"',
    'application/json; profile=x; charset=utf-8',
    'application/cloudevents+json',
    'application/vnd.api+json; charset=utf-8',
    'application/vnd.api+json; charset=us-ascii',
    'text/json',
    'text/json; charset=us-ascii',
    'application/x-json; charset=ascii',
  ])('%s is read as JSON', (type) => expect(acceptsContentType(type)).toBe(true));

  test.each([
    'text/plain',
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=unknown-8',
    'application/json; charset=',
    'application/jsonp',
    'jsonp',
    '+json',
    'application/json, text/plain',
    `application/json; x=${'a'.repeat(300)}`,
  ])('%s is not read as JSON', (type) => {
    expect(acceptsContentType(type)).toBe(false);
    expect(decode('{}', type)).toMatchObject({ ok: false, code: 'unsupported_media_type' });
  });
});

describe('rejected bodies', () => {
  test.each([
    ['an empty body', '', 'malformed_json'],
    ['blanks', '  \n', 'malformed_json'],
    ['a byte order mark alone', '\uFEFF', 'malformed_json'],
    ['truncated JSON', '{"a":', 'malformed_json'],
    ['single quotes', "{'a':1}", 'malformed_json'],
    ['a trailing comma', '[1,]', 'malformed_json'],
    ['two documents', '{}{}', 'malformed_json'],
    ['a bare NaN', '[NaN]', 'malformed_json'],
    ['a string', '"a"', 'invalid_body'],
    ['a number', '1', 'invalid_body'],
    ['null', 'null', 'invalid_body'],
    ['true', 'true', 'invalid_body'],
    ['one level too many', nested(maxDepth + 1), 'invalid_body'],
    ['too many elements', `[${'1,'.repeat(maxNodes)}1]`, 'invalid_body'],
    // Such a text is not parsed.
    ['too many commas of no JSON', '['.padEnd(2 * maxNodes + 1, '1,'), 'invalid_body'],
    ['too many lists of no JSON', '['.padEnd(2 * maxNodes + 5, '[]'), 'invalid_body'],
    ['a text too long', JSON.stringify(['x'.repeat(maxStringLength + 1)]), 'invalid_body'],
    ['a key too long', JSON.stringify({ ['x'.repeat(1_025)]: 1 }), 'invalid_body'],
  ])('%s', (_, text, code) => expect(decode(text)).toMatchObject({ ok: false, code }));

  test('invalid UTF-8 is malformed, not replaced', () => {
    const body = Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    expect(decode(body)).toMatchObject({ ok: false, code: 'malformed_json' });
  });

  test('a mebibyte of brackets is rejected at once', () => {
    const started = cpuMs();
    for (const text of ['['.repeat(1 << 20), nested(1 << 19), '{"a":'.repeat(200_000)]) {
      expect(decode(text)).toMatchObject({ ok: false, code: 'invalid_body' });
    }
    expect(cpuMs() - started).toBeLessThan(500);
  });
});

describe('decoded bodies', () => {
  test('values at the bounds are allowed', () => {
    expect(decode(nested(maxDepth)).ok).toBe(true);
    expect(decode(`[${'1,'.repeat(maxNodes - 1)}1]`).ok).toBe(true);
    expect(decode(JSON.stringify(['x'.repeat(maxStringLength)])).ok).toBe(true);
  });

  test('brackets inside texts do not nest', () => {
    expect(valueOf(JSON.stringify({ a: `${'['.repeat(500)}"\\` }))).toEqual({
      a: `${'['.repeat(500)}"\\`,
    });
  });

  test('a byte order mark is dropped', () => {
    expect(valueOf('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });

  test.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['0.1234567890123456789', Number('0.1234567890123456789')],
    ['12345678901234567890.5', Number('12345678901234567890.5')],
    ['1e20', 1e20],
    ['1e400', '1e400'],
    ['-1E+999', '-1E+999'],
    ['1e-400', 0],
  ])('the number %s becomes %j', (text, expected) => {
    expect(valueOf(`{"deep":[{"n":${text}}],"s":"${text}","q":"\\"${text}"}`)).toEqual({
      deep: [{ n: expected }],
      s: text,
      q: `"${text}`,
    });
  });

  test('digits inside texts and keys stay when another number is quoted', () => {
    const text =
      '{"12345678901234567890":"\\\\","a":"x 12345678901234567890","n":12345678901234567890}';
    expect(valueOf(text)).toEqual({
      '12345678901234567890': '\\',
      a: 'x 12345678901234567890',
      n: '12345678901234567890',
    });
  });

  test('a repeated key keeps its last value', () =>
    expect(valueOf('{"a":1,"a":2}')).toEqual({ a: 2 }));

  test('keys with a meaning in JavaScript are plain data', () => {
    const value = valueOf(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('any bytes', () => {
  const bodies = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));

  test('a document decodes as JSON.parse does, without prototypes', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const value = valueOf(JSON.stringify(body));
        const exact = (x: unknown): unknown =>
          JSON.parse(JSON.stringify(x), (_, v: unknown) =>
            typeof v === 'number' &&
            Number.isInteger(v) &&
            !Number.isSafeInteger(v) &&
            Math.abs(v) < 1e21
              ? String(v)
              : v,
          );
        expect(JSON.parse(JSON.stringify(value))).toEqual(exact(body));
        for (const object of objectsIn(value)) expect(Object.getPrototypeOf(object)).toBeNull();
      }),
    );
  });

  test('decoding never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (bytes, type) => {
        const decoded = decodeBody({ contentType: type, body: Buffer.from(bytes) });
        expect(typeof decoded.ok).toBe('boolean');
        expect(typeof decodeBody({ contentType: undefined, body: Buffer.from(bytes) }).ok).toBe(
          'boolean',
        );
      }),
    );
  });
});
