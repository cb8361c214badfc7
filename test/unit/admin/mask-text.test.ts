import { maskUndecoded } from '../../../src/api/samples/mask-text.ts';

const secret = 'hush-hush-hush-hush';

test.each([
  [`{"password":"${secret}","name":"Ana`, '{"password":"***","name":"Ana'],
  [`{"password" : "${secret}`, '{"password" : "***"'],
  [`{"a\\"b":1,"apiKey":${'7'.repeat(9)},"x":1`, '{"a\\"b":1,"apiKey":"***","x":1'],
  [`{"credentials":{"user":"${secret}","more":["${secret}`, '{"credentials":"***"'],
  [`[{"secret":["${secret}"]},{"name":"}"},`, '[{"secret":"***"},{"name":"}"},'],
  [
    `[{"name":"token","value":"${secret}"},{"name":"city","value":"Recife"},`,
    '[{"name":"token","value":"***"},{"name":"city","value":"Recife"},',
  ],
  [
    `password=${secret}&name=Ana&auth%5Btoken%5D=${secret}&%`,
    'password=***&name=Ana&auth%5Btoken%5D=***&%',
  ],
  [
    `<lead token="${secret}"><password>${secret}</password><n>Ana`,
    '<lead token="***"><password>***</password><n>Ana',
  ],
  [
    `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret}\r\n--x\r\nContent-Disposition: form-data; name="n"\r\n\r\nAna`,
    '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n***\r\n--x\r\nContent-Disposition: form-data; name="n"\r\n\r\nAna',
  ],
  [`note, Authorization Bearer ${secret}, end`, 'note, Authorization Bearer ***, end'],
])('masks credentials in a text that cannot be decoded: %j', (text, masked) => {
  expect(maskUndecoded(text)).toBe(masked);
});

test.each(['', 'plain text', '{"name":"Ana","phone":"+5511', 'id,name\n1,Ana', '[['.repeat(9)])(
  'leaves other text as it is: %j',
  (text) => {
    expect(maskUndecoded(text)).toBe(text);
  },
);

test('shows no part of a secret wherever the text is cut', () => {
  const text = `{"lead":{"name":"Ana"},"api_key":"${secret}","list":[{"token":{"v":"${secret}"}}]}`;
  const cuts = Array.from({ length: text.length }, (_, at) => maskUndecoded(text.slice(0, at)));
  expect(cuts.filter((one) => one.includes('hush'))).toEqual([]);
});

test.each([
  '"',
  '<a ',
  '{"a":',
  '[',
  'name="',
  '="',
  'a=',
  '\\"',
  'basic ',
  '{"name":',
  '{"token":[',
  ' name=a\r\n',
])('takes a bounded number of steps for a hostile text of %j', (piece) => {
  const text = piece.repeat(4_096 / piece.length);
  const sinceMs = process.cpuUsage().user;
  maskUndecoded(text);
  expect(process.cpuUsage().user - sinceMs).toBeLessThan(200_000);
});

test('a path key is masked by its shape', () => {
  const key = `inlet_wk_${'x'.repeat(43)}`;
  expect(maskUndecoded(`{"note":"see ${key}`)).not.toContain('xxx');
});
