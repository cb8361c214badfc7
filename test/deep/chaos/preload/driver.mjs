// Surrounds the commands of the driver. The stores of sets are functions over its collections, so that wrapped stores do not see them.

/**
 * @typedef {'set' | 'expiry' | null} Owner of the transaction that a command is in: of a set, or the end of an expired one
 * @typedef {(...args: any[]) => any} Run
 * @typedef {(run: Run, args: any[], owner: Owner) => any} Surround
 * @typedef {{ surround: (command: string, given: { run: Run, args: any[], owner: Owner, hasItems: boolean }) => any }} Watch
 */

const commands = ['find', 'insertOne', 'insertMany', 'updateOne', 'updateMany', 'deleteOne'];

/** @type {WeakMap<object, { owner: Owner, hasItems: boolean }>} */
const sessions = new WeakMap();

/** @param {any} session @param {string} command */
function transactionOf(session, command) {
  if (!session) return { owner: null, hasItems: false };
  const known = sessions.get(session) ?? { owner: null, hasItems: false };
  if (command === 'sets.insertOne') known.owner = 'set';
  if (command === 'sets.deleteOne') known.owner ??= 'expiry';
  if (command === 'events.insertMany') known.hasItems = true;
  sessions.set(session, known);
  return known;
}

/** The options of a command are its last argument. @param {any[]} args */
const sessionIn = (args) => args.at(-1)?.session;

/**
 * Calls `surround` for each command on a collection, named as `sets.insertOne`, and for the commit of each transaction, `commit`.
 * @param {{ getClient(): { db(name: string): any, startSession(): any }, name: string }} connection @param {Watch['surround']} surround
 */
export function surroundDriver(connection, surround) {
  const client = connection.getClient();
  const collection = Object.getPrototypeOf(client.db(connection.name).collection('sets'));
  for (const command of commands) {
    const real = collection[command];
    collection[command] = function surrounded(/** @type {any[]} */ ...args) {
      const name = `${this.collectionName}.${command}`;
      const run = (/** @type {any[]} */ ...given) => Reflect.apply(real, this, given);
      return surround(name, { run, args, ...transactionOf(sessionIn(args), name) });
    };
  }
  const session = client.startSession();
  const prototype = Object.getPrototypeOf(session);
  void session.endSession();
  const commit = prototype.commitTransaction;
  prototype.commitTransaction = function surrounded(/** @type {any[]} */ ...args) {
    const transaction = transactionOf(this, 'commit');
    const { hasItems } = transaction;
    transaction.hasItems = false;
    const run = (/** @type {any[]} */ ...given) => Reflect.apply(commit, this, given);
    return surround('commit', { run, args, owner: transaction.owner, hasItems });
  };
}
