// Finds a free port, starts servers on one, and checks whether a server answers on a port.
import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { StepError } from '../output.mjs';

// Linux gives outgoing connections ports from 32768 on, other systems from 49152 on (RFC 6335, 6): a port below
// cannot be taken by one between the moment it is found free and the start, or restart, of its server.
const listening = { from: 20_000, to: 32_767 };

/** @returns {Promise<number>} a port that is free now, on loopback, and that no outgoing connection takes */
export async function freePort() {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const port = randomInt(listening.from, listening.to + 1);
    if (await isPortFree(port)) return port;
  }
  throw new StepError(`No port between ${listening.from} and ${listening.to} was free.`);
}

/** What Redis, MongoDB (under Wine too), Node, nginx, HAProxy, Prometheus and Inlet say. */
const taken =
  /address already in use|EADDRINUSE|only one usage of each socket address|cannot bind socket|another program uses it|port \S+ is taken/i;
const maxTries = 5;

/** Whether a start failed because another process has its port. @param {unknown} error */
const isPortTaken = (error) => error instanceof Error && taken.test(error.message);

/**
 * Starts a server on a free port; on another one, at most five times, when a process took it between the look and the start.
 * @template Result
 * @param {(port: number) => Promise<Result>} start rejects with what the server said, and leaves nothing behind then
 * @param {() => Promise<number>} [findPort]
 * @returns {Promise<Result>}
 */
export async function startOnFreePort(start, findPort = freePort) {
  for (let tries = 1; ; tries += 1) {
    const port = await findPort();
    try {
      return await start(port);
    } catch (error) {
      if (!isPortTaken(error) || tries === maxTries) throw error;
    }
  }
}

/** @param {number} port @returns {Promise<boolean>} */
export function isPortFree(port) {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/**
 * Sends one line and gives the first packet of the answer, or nothing within a second.
 * @param {number} port
 * @param {string} line
 * @returns {Promise<string | undefined>}
 */
export function sendLine(port, line) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const settle = (/** @type {string | undefined} */ answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => settle(undefined));
    socket.once('error', () => settle(undefined));
    socket.once('data', (data) => settle(data.toString()));
    socket.once('connect', () => socket.write(`${line}\r\n`));
  });
}

/** Whether a process accepts connections there. @param {number} port @returns {Promise<boolean>} */
export function acceptsConnections(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const settle = (/** @type {boolean} */ answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => settle(false));
    socket.once('error', () => settle(false));
    socket.once('connect', () => settle(true));
  });
}
