// The stand-ins know whether the sender of a message read their answer.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sendRequest } from '../../../../src/channels/http/send-request.ts';
import { waitForValue } from '../../../support/processes/client.ts';
import { startHttp, type Arrival, type StandIn } from './stand-ins.ts';

let standIn: StandIn;
let onArrival: () => void;
beforeEach(async () => {
  onArrival = () => undefined;
  standIn = await startHttp(() => onArrival());
});
afterEach(() => standIn.close());

const body = JSON.stringify({ content: { text: 'hello' } });
const urlOf = ({ settings }: StandIn) => new URL(String(settings.url));

const arrived = (index = 0): Promise<Arrival> =>
  waitForValue('the message', () => standIn.arrivals[index]);

/** A message whose sender reads nothing. */
async function sendUnread(): Promise<Socket> {
  const { port, pathname } = urlOf(standIn);
  const socket = connect({ port: Number(port), host: '127.0.0.1' }).pause();
  await once(socket, 'connect');
  const head = ['host: here', 'connection: close', `content-length: ${body.length}`];
  socket.write([`POST ${pathname} HTTP/1.1`, ...head, '', body].join('\r\n'));
  return socket;
}

/** Sends one that is answered. What happened to the connections before it has been seen then. */
async function sendAnswered(): Promise<void> {
  const index = standIn.arrivals.length;
  const request = { method: 'POST', headers: {}, body, timeoutMs: 60_000 } as const;
  const lookup = () => undefined;
  expect(await sendRequest({ ...request, url: urlOf(standIn), lookup })).toMatchObject({
    kind: 'answered',
    status: 200,
  });
  const arrival = await arrived(index);
  await waitForValue('its answer', () => (arrival.isAnswered ? true : undefined));
}

test('an answer that the sender read is answered', sendAnswered);

test('an answer that came when the sender had given up is not', async () => {
  const socket = await sendUnread();
  onArrival = () => socket.destroy();
  const arrival = await arrived();
  onArrival = () => undefined;
  await sendAnswered();
  expect(arrival.isAnswered).toBe(false);
});

test('an answer that the sender did not read before it gave up is not', async () => {
  const socket = await sendUnread();
  const arrival = await arrived();
  await sendAnswered();
  socket.destroy();
  await sendAnswered();
  expect(arrival.isAnswered).toBe(false);
});

test('an answer after the sender has closed is not', async () => {
  standIn.behave('slow');
  const socket = await sendUnread();
  const arrival = await arrived();
  socket.destroy();
  // Until the answer is due.
  await pause(1_000);
  standIn.behave(null);
  await sendAnswered();
  expect(arrival.isAnswered).toBe(false);
});
