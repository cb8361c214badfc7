// A connection on which the answer of the first commit of a set is lost, again and again: the worker cannot know whether it happened.
import { mongo } from 'mongoose';
import type { Connection } from '../../../src/store/db/connection.ts';

/** `answer`: the transaction was committed. `command`: the server never got the commit, and the transaction stays open there. */
export type Lost = 'answer' | 'command';

/** As often as a worker asks for one commit. */
const commits = 3;

/** `times`: how often the answer of that commit is lost. Default: always. */
export function losingCommits(connection: Connection, lost: Lost, times = commits): Connection {
  const client = connection.getClient();
  let left = times;
  function startSession(): mongo.ClientSession {
    const session = client.startSession();
    const commit = session.commitTransaction.bind(session);
    session.commitTransaction = async () => {
      if (left === 0) return commit();
      if (lost === 'answer') await commit();
      // As the driver does when it sends the command.
      else setCommitted(session);
      left -= 1;
      throw networkError();
    };
    return session;
  }
  const losing = { startSession, db: client.db.bind(client) };
  return Object.create(connection, { getClient: { value: () => losing } }) as Connection;
}

/** After it the driver sends no abort of the transaction, at the end of the session neither. */
function setCommitted(session: mongo.ClientSession): void {
  const { transaction } = session as unknown as { transaction: { transition(to: string): void } };
  if (session.inTransaction()) transaction.transition('TRANSACTION_COMMITTED');
}

function networkError(): mongo.MongoNetworkError {
  const error = new mongo.MongoNetworkError('connection closed');
  error.addErrorLabel(mongo.MongoErrorLabel.UnknownTransactionCommitResult);
  return error;
}
