import { connect } from 'node:net';
import { once } from 'node:events';
import { listen } from '../../../src/http/listen.ts';

test('closing waits for the answer in hand, not for connections that never asked', async () => {
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
