// A TCP proxy in front of one member of a replica set. The set's configuration names the proxy, so that the other members
// connect through it. It can separate the member from some of them, while other connections pass. A member names itself in
// its first message when mongod runs with enableTestCommands; mongobridge, MongoDB's own tool, relies on the same field.
import { connect, createServer, type Socket } from 'node:net';
import { pipe } from './pipe.ts';

export type MemberProxy = {
  readonly port: number;
  /** Nothing passes between its member and the members with these ports, until `heal`. */
  separate(from: ReadonlySet<number>): void;
  /** `isLossy`: closes the separated connections; otherwise their data arrives late. */
  heal(isLossy: boolean): void;
  close(): Promise<void>;
};

type Pair = { readonly near: Socket; readonly far: Socket; readonly source: number | undefined };

const field = Buffer.from('hostInfo\0');
/** The length of a BSON string comes before its characters. */
const lengthBytes = 4;

/** The port of the member that sent the message, undefined for a client. */
function senderPortOf(message: Buffer): number | undefined {
  const at = message.indexOf(field);
  if (at < 0) return undefined;
  const start = at + field.length + lengthBytes;
  const host = message.toString('latin1', start, message.indexOf(0, start));
  return Number(host.slice(host.lastIndexOf(':') + 1));
}

export async function createMemberProxy(memberPort: number): Promise<MemberProxy> {
  const pairs = new Set<Pair>();
  const unidentified = new Set<Socket>();
  let separated: ReadonlySet<number> = new Set();

  const isSeparated = ({ source }: Pair): boolean => source !== undefined && separated.has(source);

  function apply(pair: Pair): void {
    for (const socket of [pair.near, pair.far]) {
      if (isSeparated(pair)) socket.pause();
      else socket.resume();
    }
  }

  /** Reads the first message, whose length is in its first four bytes. */
  function identify(near: Socket): void {
    let read = Buffer.alloc(0);
    unidentified.add(near);
    const end = () => void unidentified.delete(near);
    const onData = (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      if (read.length < lengthBytes || read.length < read.readInt32LE(0)) return;
      near.off('data', onData).pause();
      unidentified.delete(near);
      near.unshift(read);
      join(near, senderPortOf(read));
    };
    near.on('data', onData).on('close', end).on('error', end);
  }

  function join(near: Socket, source: number | undefined): void {
    const far = connect(memberPort, '127.0.0.1');
    const pair = { near, far, source };
    pairs.add(pair);
    pipe(near, far, () => void pairs.delete(pair));
    apply(pair);
  }

  const server = createServer(identify);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    separate(from) {
      separated = from;
      pairs.forEach(apply);
    },
    heal(isLossy) {
      const affected = [...pairs].filter(isSeparated);
      separated = new Set();
      if (isLossy) affected.forEach(({ near }) => near.resetAndDestroy());
      pairs.forEach(apply);
    },
    async close() {
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      for (const near of unidentified) near.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
