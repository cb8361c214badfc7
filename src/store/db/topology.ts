/**
 * What kind of MongoDB answers. Inlet needs a replica set: a standalone mongod has no transactions and acknowledges no majority.
 */
import mongoose from 'mongoose';
import { StartupError } from '../../base/process/startup.ts';
import { hello, type Connection } from './connection.ts';

/** A wait may resolve it, unlike a `StartupError`. */
export class NotInitiated extends Error {
  override readonly name = 'NotInitiated';
}

/** The fields of the answer to `hello` that tell what the server is. */
type Hello = {
  readonly setName?: string;
  /** `isdbgrid` of a router of a sharded cluster. */
  readonly msg?: string;
  /** Of a member whose set is not initiated. */
  readonly isreplicaset?: boolean;
  readonly isWritablePrimary?: boolean;
};

const standalone = 'a standalone mongod, and Inlet needs a replica set';
const remedy = 'run mongod with --replSet, and rs.initiate() once';

const isStandalone = ({ setName, msg, isreplicaset }: Hello): boolean =>
  setName === undefined && msg !== 'isdbgrid' && isreplicaset !== true;

/** Rejects with `StartupError` for a standalone server, and with `NotInitiated`. */
export async function requireReplicaSet(connection: Connection): Promise<void> {
  const answer = (await hello(connection)) as Hello;
  if (isStandalone(answer))
    throw new StartupError(`MONGODB_URL leads to ${standalone}: ${remedy}.`);
  if (answer.isreplicaset === true)
    throw new NotInitiated('The replica set is not initiated: run rs.initiate()');
}

const askMs = 2_000;

type Topology = {
  /** The set that the URL names, if it does. */
  readonly asked: string | undefined;
  /** By address, what answered and what did not. */
  readonly found: ReadonlyMap<string, Hello | Error>;
};

/** Asks the servers of the URL and those that they name, for two seconds. Never rejects. */
async function askServers(url: string): Promise<Topology> {
  const found = new Map<string, Hello | Error>();
  const client = new mongoose.mongo.MongoClient(url, {
    serverSelectionTimeoutMS: askMs,
    connectTimeoutMS: askMs,
    appName: 'inlet',
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId, reply }) =>
    found.set(connectionId, reply as Hello),
  );
  client.on('serverHeartbeatFailed', ({ connectionId, failure }) =>
    found.set(connectionId, failure),
  );
  await client.connect().catch(() => undefined);
  await client.close().catch(() => undefined);
  return { asked: client.options.replicaSet, found };
}

/**
 * Resolves to the servers of the URL and what each is, in words, after no primary answered. Rejects with `StartupError` when no
 * wait resolves it: only servers of another set or without one answer.
 */
export async function explainNoPrimary(url: string): Promise<string> {
  const { asked, found } = await askServers(url);
  const answers = [...found].flatMap(([address, answer]) =>
    answer instanceof Error ? [] : [{ address, answer }],
  );
  const isExpected = ({ setName, isreplicaset }: Hello) =>
    setName === asked || isreplicaset === true;
  const [other] = answers;
  if (asked !== undefined && other && !answers.some(({ answer }) => isExpected(answer))) {
    const { setName } = other.answer;
    const which = setName === undefined ? standalone : `a member of the replica set ${setName}`;
    throw new StartupError(
      `MONGODB_URL asks for the replica set ${asked}, and ${other.address} is ${which}. ` +
        `${setName === undefined ? `To use it, ${remedy}` : 'Correct replicaSet'}.`,
    );
  }
  return [...found].map(([address, answer]) => `${address}: ${stateOf(answer)}`).join('; ');
}

function stateOf(answer: Hello | Error): string {
  if (answer instanceof Error) return answer.message;
  if (answer.isreplicaset === true) return 'its replica set is not initiated: run rs.initiate()';
  const role = answer.isWritablePrimary ? 'primary' : 'no primary';
  return answer.setName === undefined ? role : `${role} of the set ${answer.setName}`;
}
