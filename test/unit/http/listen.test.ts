import { connect } from 'node:net';
import { once } from 'node:events';
import { listen } from '../../../src/http/server/listen.ts';
import { readRawBody } from '../../../src/http/requests/raw-body.ts';

test('closing waits for answers in flight, not for connections without a request', async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const listening = await listen(
    (_request, response) => {
      begin();
      void asked.then(() => response.end('late'));
    },
    { host: '127.0.0.1', port: 0 },
  );
  const silent = connect(Number(new URL(listening.url).port), '127.0.0.1');
  await once(silent, 'connect');
  const response = fetch(listening.url);
  await begun;
  const closed = listening.close();
  await once(silent, 'close');
  answer();
  expect(await (await response).text()).toBe('late');
  await closed;
});

test('while closing, answers carry Connection: close and new connections are rejected', async () => {
  const answers: (() => void)[] = [];
  const listening = await listen(
    (_request, response) => void answers.push(() => response.end('late')),
    { host: '127.0.0.1', port: 0 },
  );
  const port = Number(new URL(listening.url).port);
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const closed = listening.close();
  const late = connect(port, '127.0.0.1');
  const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
  answers[0]?.();
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(String(data)).toMatch(/^HTTP\/1\.1 200 [^]*^Connection: close\r$/m);
  await once(socket, 'close');
  await closed;
});

test('a body that stalls is dropped when the time for a request is over', async () => {
  let settle: (how: string) => void = () => {};
  const settled = new Promise<string>((resolve) => (settle = resolve));
  const listening = await listen(
    (request) =>
      void readRawBody(request, { maxBytes: 1_000 }).then(
        () => settle('read'),
        ({ code }) => settle(code),
      ),
    { host: '127.0.0.1', port: 0 },
    { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 },
  );
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(String(data)).toMatch(/^HTTP\/1\.1 408 /);
  expect(await settled).toBe('malformed_json');
  await listening.close();
});
