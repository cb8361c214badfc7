// Ports on this machine: a free one, and whether somebody answers on one.
import { connect, createServer } from 'node:net';

/** @returns {Promise<number>} a port that is free now, on loopback */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        resolve(address !== null && typeof address === 'object' ? address.port : 0),
      );
    });
  });
}

/** @param {number} port @returns {Promise<boolean>} */
export function isPortFree(port) {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/**
 * Sends one line and gives the first line of the answer, or nothing within a second.
 * @param {number} port
 * @param {string} line
 * @returns {Promise<string | undefined>}
 */
export function ask(port, line) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const settle = (/** @type {string | undefined} */ answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => settle(undefined));
    socket.once('error', () => settle(undefined));
    socket.once('data', (data) => settle(data.toString().split('\r\n')[0]));
    socket.once('connect', () => socket.write(`${line}\r\n`));
  });
}

/** Whether somebody takes connections there. @param {number} port @returns {Promise<boolean>} */
export function accepts(port) {
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
