import { connect } from 'node:net';
import mongoose from 'mongoose';
import { startMember } from '../../../scripts/lib/services/mongod.mjs';
import { startRedisServer } from '../../../scripts/lib/services/redis-server.mjs';
import { acceptsConnections, freePort } from '../../../scripts/lib/process/ports.mjs';
import {
  dropDatabase,
  requiredEnv,
  startServer,
  sharedRedisUrl,
  startMongo,
  startRedis,
  testMongoUrl,
} from '../../support/services/services.ts';

/** Sends one Redis command. Returns the answer in one line, or `silent` after the time. */
function redis(url: string, command: string, silentAfterMs = 60_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname });
    const settle = (answer: string) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(silentAfterMs, () => settle('silent'));
    socket.once('error', reject);
    socket.once('data', (data) =>
      settle(
        String(data)
          .split('\r\n')
          .filter((part) => !/^[*]/.test(part))
          .join(' ')
          .trim(),
      ),
    );
    socket.write(`${command}\r\n`);
  });
}

test('the shared Redis never evicts', async () => {
  expect(await redis(sharedRedisUrl(), 'CONFIG GET maxmemory-policy')).toContain('noeviction');
});

test('only databases with test in their name are created or dropped', async () => {
  expect(() => testMongoUrl('inlet')).toThrow('has test in its name');
  await expect(dropDatabase('mongodb://127.0.0.1:1/inlet')).rejects.toThrow('Not dropped');
});

test('a dedicated Redis keeps its data over stop, start and pause', async () => {
  const server = await startRedis();
  try {
    expect(await redis(server.url, 'SET kept yes')).toBe('+OK');
    await server.stop();
    await expect(redis(server.url, 'PING')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(await redis(server.url, 'GET kept')).toBe('$3 yes');
    server.pause();
    expect(await redis(server.url, 'PING', 500)).toBe('silent');
    server.resume();
    expect(await redis(server.url, 'PING')).toBe('+PONG');
  } finally {
    await server.close();
  }
});

test('a dedicated MongoDB loses nothing acknowledged when it is killed', async () => {
  const server = await startMongo();
  const write = { writeConcern: { w: 'majority', j: true } } as const;
  const open = () => new mongoose.mongo.MongoClient(server.url).connect();
  try {
    const before = await open();
    await before.db().collection('kept').insertOne({ n: 1 }, write);
    await before.close();
    await server.kill();
    await server.start();
    const after = await open();
    expect(await after.db().collection('kept').countDocuments()).toBe(1);
    await after.close();
  } finally {
    await server.close();
  }
});

const programs = {
  MongoDB: {
    variable: 'INLET_TEST_MONGOD',
    begin: async (options: Parameters<typeof startMember>[0]) => ({
      ...(await startMember({ ...options, isStandalone: true })),
      url: '',
    }),
  },
  Redis: { variable: 'INLET_TEST_REDIS_SERVER', begin: startRedisServer },
} as const;

test.each(['MongoDB', 'Redis'] as const)(
  'a %s whose port another one took between the look and the start gets another port, and leaves the other one alone',
  async (name) => {
    const { variable, begin } = programs[name];
    const other = await startServer(requiredEnv(variable), begin);
    const found = [other.port, await freePort()];
    const findPort = async () => found.shift() ?? 0;
    const server = await startServer(requiredEnv(variable), begin, { findPort });
    try {
      expect(server.port).not.toBe(other.port);
      expect(found).toEqual([]);
      // Each is stopped by itself.
      await server.stop();
      expect(await acceptsConnections(other.port)).toBe(true);
    } finally {
      await Promise.all([server.close(), other.close()]);
    }
  },
);
