import { renderText } from '../../../src/base/texts/texts.ts';
import { anyFormatBody } from '../../../src/producers/decode/body.ts';
import { maxDepth, maxNodes } from '../../../src/producers/decode/bounds.ts';

const form = 'application/x-www-form-urlencoded';

const decode = (text: string | Buffer, contentType?: string) =>
  anyFormatBody.decodeBody({ contentType, body: Buffer.from(text) });

/** Returns the value as plain JSON: objects without a prototype compare unequal otherwise. */
const valueOf = (text: string | Buffer, contentType?: string): unknown => {
  const decoded = decode(text, contentType);
  if (!decoded.ok) throw new Error(`${decoded.code}: ${renderText(decoded.message, 'en')}`);
  return JSON.parse(JSON.stringify(decoded.value));
};

const part = (headers: string, body: string) => `--X\r\n${headers}\r\n\r\n${body}\r\n`;
const field = (name: string, body: string) =>
  part(`Content-Disposition: form-data; name="${name}"`, body);
const multipart = (...parts: string[]) => `${parts.join('')}--X--\r\n`;
const multipartType = 'multipart/form-data; boundary=X';

describe('content types', () => {
  test.each([
    undefined,
    '',
    'application/json',
    'text/json; charset=utf-8',
    'text/json; charset=us-ascii',
    'application/vnd.api+json; charset="US-ASCII"',
    'application/x-json',
    'applications/json',
    '"application/json"',
    'application/json, application/json',
    'application/json application/json',
    'application/json charset=utf-8',
    'application/json;charset=UTF-8;charset=utf-8',
    'json',
    'application/json; charset=iso-8859-1',
    'text/plain; charset=shift_jis',
    `${form}; charset=koi8-r`,
    form,
    `${form}; charset=UTF-8`,
    `${form}; charset=iso-8859-1`,
    `${form};charset="windows-1252"`,
    multipartType,
    'multipart/form-data; boundary="----=_Part 1/2"',
    'text/plain',
    'text/plain;charset=UTF-8',
    'text/xml; charset=ISO-8859-1',
    'application/xml',
    'application/soap+xml; charset=utf-8; action="urn:x"',
  ])('%s is supported', (type) => expect(anyFormatBody.acceptsContentType(type)).toBe(true));

  test.each([
    'text/html',
    'application/octet-stream',
    'multipart/form-data',
    'multipart/mixed; boundary=x',
    'application/json; charset=unknown-8',
    'text/json; charset=hex',
    `${form}; charset=base64`,
    'jsonp',
    'application/jsonl',
    ';',
    `text/plain; x=${'a'.repeat(300)}`,
  ])('%s is not supported', (type) => {
    expect(anyFormatBody.acceptsContentType(type)).toBe(false);
    expect(decode('{}', type)).toMatchObject({ ok: false, code: 'unsupported_media_type' });
  });
});

describe('forms', () => {
  test.each<[string, string, unknown]>([
    ['flat', 'a=1&b=2', { a: '1', b: '2' }],
    ['plus and percent', 'nome=Ana+L%C3%BAcia&s=1%2B1', { nome: 'Ana Lúcia', s: '1+1' }],
    ['a bare percent sign', 'a=100%&b=50%+off', { a: '100%', b: '50% off' }],
    ['a bare percent sign beside letters', 'a=100%+caf%C3%A9', { a: '100% café' }],
    ['escapes in Latin-1', 'a=Jo%E3o', { a: 'João' }],
    ['unescaped letters', 'a=João', { a: 'João' }],
    ['names with blanks', 'Seu+nome=Ana', { 'Seu nome': 'Ana' }],
    ['an equals sign in a value', 'a=b=c', { a: 'b=c' }],
    ['a name without a value', 'a&b=1', { a: '', b: '1' }],
    ['a repeated name', 'a=1&a=2', { a: ['1', '2'] }],
    ['empty brackets', 'a[]=1&a[]=2', { a: ['1', '2'] }],
    ['empty brackets once', 'a[]=1', { a: ['1'] }],
    ['escaped brackets', 'a%5Bb%5D%5Bc%5D=1', { a: { b: { c: '1' } } }],
    ['lists in order', 'a[1]=y&a[0]=x', { a: ['x', 'y'] }],
    ['an id in brackets', 'fields[12]=x', { fields: { 12: 'x' } }],
    ['an id beyond any list', 'a[35100099][ID]=1', { a: { 35100099: { ID: '1' } } }],
    ['a gap', 'a[0]=x&a[2]=z', { a: { 0: 'x', 2: 'z' } }],
    [
      'lists of objects',
      'l[add][0][id]=1&l[add][1][id]=2',
      { l: { add: [{ id: '1' }, { id: '2' }] } },
    ],
    ['a list at the root stays an object', '0=a&1=b', { 0: 'a', 1: 'b' }],
    ['dots', 'a.b=1', { 'a.b': '1' }],
    [
      'names of the language',
      'constructor=1&a[toString]=2',
      { constructor: '1', a: { toString: '2' } },
    ],
    ['a prototype', '__proto__[x]=1&a=2', { a: '2' }],
    [
      'JSON in a field',
      'payload={"n":12345678901234567890}&a=1',
      {
        payload: '{"n":12345678901234567890}',
        a: '1',
        _json: { payload: { n: '12345678901234567890' } },
      },
    ],
    ['broken JSON in a field', 'a={x', { a: '{x' }],
    ['JSON with the wrong content type', ' {"a":1}', { a: 1 }],
    ['a list with the wrong content type', '[1]', [1]],
  ])('%s', (_, text, value) => expect(valueOf(text, form)).toEqual(value));

  test('a list beyond the limit of the parser stays a list', () => {
    const count = 200;
    const keys = Array.from({ length: count }, (_, i) => `l[add][${i}][id]=${i}&l[add][${i}][n]=x`);
    const value = valueOf(keys.join('&'), form) as { l: { add: { id: string }[] } };
    expect(value.l.add.map(({ id }) => id)).toEqual(keys.map((_, i) => String(i)));
    const plain = valueOf(`${'a=1&'.repeat(count)}b[]=${'1&b[]='.repeat(count)}`, form);
    expect(plain).toEqual({ a: Array(count).fill('1'), b: [...Array(count).fill('1'), ''] });
  });

  test('bytes that are not in their charset do not change the texts after them', () => {
    const type = `${form}; charset=gb18030`;
    expect(valueOf('a=%C4%E3&b=%C4&c=%C4%E3', type)).toEqual({ a: '你', b: '\uFFFD', c: '你' });
  });

  test('a declared charset is used', () => {
    const latin = `${form}; charset=iso-8859-1`;
    expect(valueOf(Buffer.from('a=Jo\xe3o&b=%80', 'latin1'), latin)).toEqual({ a: 'João', b: '€' });
    expect(valueOf(Buffer.from('a=Jo\xe3o', 'latin1'), form)).toEqual({ a: 'João' });
    expect(decode(Buffer.from('a=Jo\xe3o', 'latin1'), `${form}; charset=utf-8`)).toMatchObject({
      code: 'malformed_json',
    });
  });

  test.each([
    ['nothing', '', 'malformed_json'],
    ['blanks', ' \n', 'malformed_json'],
    ['no name', 'hello', 'malformed_json'],
    ['broken JSON', '{"a":', 'malformed_json'],
    ['too deep', `a${'[b]'.repeat(33)}=1`, 'invalid_body'],
    ['too many', 'a=1&'.repeat(20_001), 'invalid_body'],
    ['too long a key', `${'k'.repeat(1_025)}=1`, 'invalid_body'],
  ])('%s is rejected', (_, text, code) =>
    expect(decode(text, form)).toMatchObject({ ok: false, code }),
  );
});

describe('multipart', () => {
  test.each<[string, string, unknown]>([
    ['fields', multipart(field('a', '1'), field('b', 'x\r\ny')), { a: '1', b: 'x\r\ny' }],
    [
      'brackets',
      multipart(field('a[0][b]', '1'), field('a[1][b]', '2')),
      { a: [{ b: '1' }, { b: '2' }] },
    ],
    [
      'repeated',
      multipart(field('a', '1'), field('a', '2'), field('a', '3')),
      { a: ['1', '2', '3'] },
    ],
    ['names beyond Latin-1', multipart(field('Opção 📱 “x”', 'é')), { 'Opção 📱 “x”': 'é' }],
    [
      'JSON in a field',
      multipart(field('p', '{"a":[1]}')),
      { p: '{"a":[1]}', _json: { p: { a: [1] } } },
    ],
    ['an empty field', multipart(field('a', '')), { a: '' }],
    ['a plus stays a plus', multipart(field('a', '+55 100%41')), { a: '+55 100%41' }],
    ['a prototype', multipart(field('__proto__[x]', '1'), field('a', '1')), { a: '1' }],
  ])('%s', (_, text, value) => expect(valueOf(text, multipartType)).toEqual(value));

  test('files are dropped and listed', () => {
    const file = part(
      'Content-Disposition: form-data; name="cv"; filename="cv.pdf"\r\nContent-Type: application/pdf',
      '%PDF-1',
    );
    expect(valueOf(multipart(field('a', '1'), file), multipartType)).toEqual({
      a: '1',
      _files: [{ field: 'cv', name: 'cv.pdf', contentType: 'application/pdf', bytes: 6 }],
    });
  });

  test.each([
    ['beyond Latin-1', 'filename="Proposta – “2026” 📄.pdf"', 'Proposta – “2026” 📄.pdf'],
    ['with escapes', String.raw`filename="a\"b%22c.pdf"`, 'a"b"c.pdf'],
    ['without quotes', 'FileName=C:\\fax.pdf', 'C:\\fax.pdf'],
    ['in both forms', "filename=x.pdf; filename*=UTF-8''%E2%82%AC.pdf", '€.pdf'],
    ['within another parameter', 'other="; filename=no"; filename=yes', 'yes'],
    ['of no length', 'filename=""', ''],
  ])('a file with a name %s is a file', (_, parameter, name) => {
    const head = `Content-Disposition: form-data; name="cv"; ${parameter}\r\nContent-Type: application/pdf`;
    const text = multipart(field('a', '1'), part(head, 'x'.repeat(1_048_577)));
    expect(valueOf(text, multipartType)).toEqual({
      a: '1',
      _files: [{ field: 'cv', name, contentType: 'application/pdf', bytes: 1_048_577 }],
    });
  });

  test('a part is read by its own charset', () => {
    const head =
      'Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=iso-8859-1';
    expect(valueOf(Buffer.from(multipart(part(head, 'Jo\xe3o')), 'latin1'), multipartType)).toEqual(
      {
        a: 'João',
      },
    );
  });

  test.each([
    ['nothing', '', 'malformed_json'],
    ['no boundary in it', 'a=1', 'malformed_json'],
    ['a truncated body', field('a', '1'), 'malformed_json'],
    [
      'a part without a name',
      multipart(part('Content-Disposition: form-data', 'x')),
      'malformed_json',
    ],
    ['headers without an end', '--X\r\nA: b', 'malformed_json'],
    [
      'a broken file name',
      multipart(part('Content-Disposition: form-data; name="a"; filename*=utf-8\'\'%E0%A4%A', 'x')),
      'malformed_json',
    ],
    ['too many parts', multipart(...Array<string>(2_001).fill(field('a', ''))), 'invalid_body'],
    ['a text too long', multipart(field('a', 'x'.repeat(1_048_577))), 'invalid_body'],
  ])('%s is rejected', (_, text, code) =>
    expect(decode(text, multipartType)).toMatchObject({ ok: false, code }),
  );
});

describe('XML', () => {
  const soap = `<?xml version="1.0" encoding="UTF-8"?>
    <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
      <soap:Body><ns1:lead id="7"><ns1:name xsi:type="xsd:string">Ana &amp; Bia</ns1:name>
      <ns1:phone>1</ns1:phone><ns1:phone>2</ns1:phone><ns1:note xsi:nil="true"/></ns1:lead></soap:Body>
    </soap:Envelope>`;

  test.each<[string, string, unknown]>([
    [
      'SOAP',
      soap,
      {
        Envelope: {
          Body: { lead: { '@id': '7', name: 'Ana & Bia', phone: ['1', '2'], note: null } },
        },
      },
    ],
    ['text beside attributes', '<a b="1">x</a>', { a: { '@b': '1', '#text': 'x' } }],
    ['text alone', '<a> x </a>', { a: ' x ' }],
    ['CDATA', '<a><![CDATA[<b>&amp;]]></a>', { a: '<b>&amp;' }],
    ['empty', '<a><b/><c></c></a>', { a: { b: '', c: '' } }],
    ['character references', '<a>&#x41;&#66;&lt;</a>', { a: 'AB<' }],
    ['an entity of HTML', '<a>&nbsp;</a>', { a: '&nbsp;' }],
    ['comments', '<!-- x --><a><!-- y -->z</a>', { a: 'z' }],
    ['a byte order mark', '\uFEFF<a>x</a>', { a: 'x' }],
    [
      'names of the language',
      '<a><__proto__ constructor="1"/></a>',
      { a: { ['__proto__']: { '@constructor': '1' } } },
    ],
  ])('%s', (_, text, value) =>
    expect(JSON.stringify(valueOf(text, 'text/xml'))).toEqual(JSON.stringify(value)),
  );

  test('the charset comes from the content type, or else from the document', () => {
    const latin = (text: string) => Buffer.from(text, 'latin1');
    const xml = latin('<?xml version="1.0" encoding="ISO-8859-1"?><a>Jo\xe3o</a>');
    expect(valueOf(xml, 'application/xml')).toEqual({ a: 'João' });
    expect(valueOf(latin('<a>Jo\xe3o</a>'), 'text/xml; charset=latin1')).toEqual({ a: 'João' });
    expect(decode(latin('<a>Jo\xe3o</a>'), 'text/xml')).toMatchObject({ code: 'malformed_json' });
  });

  test('XML that is sent as a form, as curl does, is read', () => {
    const xml = '\uFEFF\n<?xml version="1.0"?><lead id="7"><name>Ana &amp; Bia</name></lead>';
    expect(valueOf(xml, form)).toEqual({ lead: { '@id': '7', name: 'Ana & Bia' } });
  });

  test('a form stays one when it only begins as XML does', () => {
    expect(valueOf('<b=1&c=2', form)).toEqual({ '<b': '1', c: '2' });
  });

  const bomb = `<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;">]><a>&c;</a>`;
  test.each([
    ['nothing', '', 'malformed_json'],
    ['text', 'hello', 'malformed_json'],
    ['no end tag', '<a><b></b>', 'malformed_json'],
    ['a wrong end tag', '<a><b></a></b>', 'malformed_json'],
    ['two roots', '<a/><b/>', 'malformed_json'],
    ['text after the root', '<a/>x', 'malformed_json'],
    ['a document type', bomb, 'invalid_body'],
    ['an external entity', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'invalid_body'],
    ['too deep', `${'<a>'.repeat(maxDepth)}${'</a>'.repeat(maxDepth)}`, 'invalid_body'],
    ['too many', `<a>${'<b/>'.repeat(maxNodes)}</a>`, 'invalid_body'],
    ['an unknown encoding', '<?xml version="1.0" encoding="EBCDIC"?><a/>', 'malformed_json'],
  ])('%s is rejected', (_, text, code) =>
    expect(decode(text, 'application/xml')).toMatchObject({ ok: false, code }),
  );
});

describe('text', () => {
  test.each<[string, string, unknown]>([
    ['JSON', ' \n{"a":1}', { a: 1 }],
    ['JSON behind a byte order mark', '\uFEFF[1]', [1]],
    ['a form', 'a=1&b=x+y\n', { a: '1', b: 'x y' }],
  ])('%s is decoded', (_, text, value) => expect(valueOf(text, 'text/plain')).toEqual(value));

  test.each(['', 'hello', 'a = b', 'x\ny=1', '{"a":', '<a/>'])('%j is rejected', (text) =>
    expect(decode(text, 'text/plain')).toMatchObject({ ok: false, code: 'malformed_json' }),
  );
});

describe('declared character sets', () => {
  const bytes = {
    'windows-1251': [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2],
    shift_jis: [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea],
    cp850: [0x6f, 0x6c, 0xa0],
  };
  const texts = { 'windows-1251': 'Привет', shift_jis: '日本語', cp850: 'olá' };
  type Name = keyof typeof bytes;
  const around = (start: string, name: Name, end: string) =>
    Buffer.concat([Buffer.from(start), Buffer.from(bytes[name]), Buffer.from(end)]);

  test.each(Object.keys(bytes) as Name[])('%s is read in each format', (name) => {
    const expected = { a: texts[name] };
    const ofType = (type: string) => `${type}; charset=${name}`;
    const json = around('{"a":"', name, '"}');
    expect(valueOf(json, ofType('application/json'))).toEqual(expected);
    expect(valueOf(json, ofType('text/plain'))).toEqual(expected);
    expect(valueOf(around('<a>', name, '</a>'), ofType('text/xml'))).toEqual(expected);
    const prolog = `<?xml version="1.0" encoding="${name}"?><a>`;
    expect(valueOf(around(prolog, name, '</a>'), 'text/xml')).toEqual(expected);
    const escaped = bytes[name].map((byte) => `%${byte.toString(16)}`).join('');
    expect(valueOf(`a=${escaped}`, ofType(form))).toEqual(expected);
    const head = `Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=${name}`;
    expect(valueOf(around(`--X\r\n${head}\r\n\r\n`, name, '\r\n--X--\r\n'), multipartType)).toEqual(
      expected,
    );
  });

  test('the second byte of a character may be a letter that is not escaped', () => {
    expect(valueOf('a=%83A%83C+B', `${form}; charset=shift_jis`)).toEqual({ a: 'アイ B' });
  });

  test('a field of the form names the set of the others', () => {
    const body = Buffer.concat([
      Buffer.from(multipart(field('_charset_', 'windows-1251')).slice(0, -7)),
      around(
        '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n',
        'windows-1251',
        '\r\n--X--\r\n',
      ),
    ]);
    expect(valueOf(body, multipartType)).toMatchObject({ a: 'Привет' });
  });

  test.each(['unknown-8', 'utf-8'])(
    'bytes of a part that are not in its set %s become no other letters',
    (name) => {
      const head = `Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=${name}`;
      const body = Buffer.from(multipart(part(head, 'Jo\xe3o')), 'latin1');
      expect(valueOf(body, multipartType)).toEqual({ a: 'Jo\uFFFDo' });
    },
  );

  test('bytes of a body that are not in its set are malformed', () => {
    const wrong = Buffer.from('{"a":"\x81"}', 'latin1');
    expect(decode(wrong, 'application/json; charset=shift_jis')).toMatchObject({ ok: false });
  });
});
