// A helper process: resends as fast as it can, uploads slowly, sends bodies that cost much, reads no answers, and tries keys.
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { runHelper } from './helper-process.ts';
import { post } from './post.ts';

export type AttackOptions = {
  readonly urls: readonly string[];
  readonly resentKey: string;
  readonly attackedKey: string;
};

/** The number of requests by attack and outcome, such as `resend 200`. */
export type AttackResult = Readonly<Record<string, number>>;

const knownEvents = 1_000;

type Attack = {
  /** So many loops run at once. */
  readonly loops: number;
  readonly pauseMs: number;
  readonly once: (url: string, loop: number) => Promise<string>;
};

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

const outcomeOf = async (url: string, body: string | Buffer, type?: string): Promise<string> =>
  (await post(agent, { url, body, type })).outcome;

/** Opens a connection, and resolves to the first line that is read, or to how the connection ended. */
function withSocket(url: string, work: (socket: Socket) => Promise<void>): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  return new Promise((resolve) => {
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'error'));
    socket.on('close', () => resolve('closed'));
    socket.once('data', (chunk) => resolve(String(chunk).slice(9, 12)));
    void work(socket).finally(() => socket.destroy());
  });
}

const bombs: readonly (() => readonly [body: string | Buffer, type?: string])[] = [
  () => ['['.repeat(500_000)],
  () => [`{"items":${'['.repeat(60_000)}${']'.repeat(60_000)}}`],
  () => [JSON.stringify({ items: Array.from({ length: 500 }, expensiveItem) })],
  () => [JSON.stringify({ items: [expensiveItem(0, 0, 40_000)] })],
  () => [`{${Array.from({ length: 50_000 }, (_, n) => `"k${n}":1`).join()}}`],
  () => [`a${'[b]'.repeat(50_000)}=1`, 'application/x-www-form-urlencoded'],
  () => [
    Array.from({ length: 60_000 }, (_, n) => `a[${n}][b]=1`).join('&'),
    'application/x-www-form-urlencoded',
  ],
  () => [`{"n":1${'0'.repeat(900_000)}}`],
  () => [randomBytes(1_000_000)],
  () => ['<a>'.repeat(200_000), 'application/xml'],
  () => [JSON.stringify({ items: ['\u0000'.repeat(150_000)] })],
];

function expensiveItem(_: unknown, index: number, parts = 20) {
  return {
    person: `attacker-${index % 50}`,
    parts: Array.from({ length: parts }, (_part, n) => ({ value: (n * 7_919) % parts })),
  };
}

const attacksOf = ({ resentKey, attackedKey }: AttackOptions): Record<string, Attack> => ({
  resend: {
    loops: 16,
    pauseMs: 0,
    once(url) {
      const number = Math.floor(Math.random() * knownEvents);
      const person = number % 100;
      const body = { id: `known-${number}`, person: `resent-${person}`, text: `known ${number}` };
      return outcomeOf(`${url}/v1/webhook/${resentKey}`, JSON.stringify(body));
    },
  },
  'slow upload': {
    loops: 400,
    pauseMs: 1_000,
    once: (url) =>
      withSocket(url, async (socket) => {
        socket.write(
          `POST /v1/webhook/${attackedKey} HTTP/1.1\r\nhost: inlet\r\n` +
            'content-type: application/json\r\ncontent-length: 900000\r\n\r\n{"a":"',
        );
        for (let second = 0; second < 60 && socket.writable; second += 1) {
          await pause(1_000);
          socket.write('x'.repeat(100));
        }
      }),
  },
  bomb: {
    loops: 2,
    pauseMs: 3_000,
    once(url) {
      const [body, type] = bombs[Math.floor(Math.random() * bombs.length)]?.() ?? [''];
      return outcomeOf(`${url}/v1/webhook/${attackedKey}`, body, type);
    },
  },
  'unread answers': {
    loops: 20,
    pauseMs: 2_000,
    once: (url) =>
      withSocket(url, async (socket) => {
        socket.write('GET /openapi.json HTTP/1.1\r\nhost: inlet\r\n\r\n'.repeat(200));
        socket.pause();
        await pause(10_000);
      }),
  },
  'unknown key': {
    loops: 4,
    pauseMs: 50,
    once: (url) =>
      outcomeOf(`${url}/v1/webhook/${randomBytes(24).toString('base64url')}`, '{"a":1}'),
  },
});

await runHelper<AttackOptions, AttackResult>(async (options, signal) => {
  const outcomes: Record<string, number> = {};
  const { urls } = options;
  async function loop(name: string, { pauseMs, once }: Attack, index: number): Promise<void> {
    for (let turn = index; !signal.aborted; turn += 1) {
      const outcome = `${name} ${await once(urls[turn % urls.length] ?? '', index)}`;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      await pause(outcome.endsWith('200') ? pauseMs : Math.max(pauseMs, 20));
    }
  }
  await Promise.all(
    Object.entries(attacksOf(options)).flatMap(([name, attack]) =>
      Array.from({ length: attack.loops }, (_, index) => loop(name, attack, index)),
    ),
  );
  return outcomes;
});
