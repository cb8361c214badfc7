// Points at which a process can be killed or stopped: before a call of a store or a step of a set, halfway through its records, or
// after it. A call without an effect (nothing due, nothing released) is no hit.

/**
 * @typedef {import('../../../../src/store/stores.ts').Stores} Stores
 * @typedef {{ [S in keyof Stores]: `${S}.${keyof Stores[S] & string}` }[keyof Stores]} StoreCall
 * @typedef {keyof typeof setSteps} SetStep
 *
 * @typedef {object} Point
 * @property {'server' | 'worker' | 'any'} role which role reaches it; any: the first process that does
 * @property {StoreCall | SetStep} call
 * @property {'before' | 'half' | 'after'} when half of a commit: it was sent, and is not answered
 */

/** The commands of the driver that make each step of a set; all but the first are in its transaction. */
const setSteps = /** @type {const} */ ({
  'set: insert': ['sets.insertOne'],
  'set: change': ['sets.deleteOne', 'sets.updateOne'],
  'set: identities': ['identities.insertMany'],
  'set: contacts': ['contacts.insertMany', 'contacts.updateMany'],
  'set: chats': ['chats.insertMany', 'chats.updateMany'],
  'set: messages': ['messages.insertMany', 'messages.updateMany'],
  'set: items': ['events.insertMany'],
  'set: outcomes': ['events.updateMany'],
  'set: commit': ['commit'],
  'set: commit of items': ['commit'],
  'set: expiry': ['sets.deleteOne'],
});

/** @satisfies {Record<string, Point>} */
export const faultPoints = {
  'after insert, before enqueue': { role: 'server', call: 'events.insert', when: 'after' },
  'halfway through insert': { role: 'server', call: 'events.insert', when: 'half' },
  'after a resend was counted': { role: 'server', call: 'events.countResends', when: 'after' },
  'during replay': { role: 'server', call: 'events.replay', when: 'after' },
  'during a replay of many': { role: 'any', call: 'events.replayMany', when: 'after' },
  'during resume': { role: 'any', call: 'events.releaseHeld', when: 'after' },
  'halfway through resume': { role: 'any', call: 'events.releaseHeld', when: 'half' },
  'before the set': { role: 'worker', call: 'set: insert', when: 'before' },
  'after the set': { role: 'worker', call: 'set: insert', when: 'after' },
  'after the begin': { role: 'worker', call: 'set: change', when: 'after' },
  'after identities': { role: 'worker', call: 'set: identities', when: 'after' },
  'after contacts': { role: 'worker', call: 'set: contacts', when: 'after' },
  'after chats': { role: 'worker', call: 'set: chats', when: 'after' },
  'after messages': { role: 'worker', call: 'set: messages', when: 'after' },
  'before outcomes': { role: 'worker', call: 'set: outcomes', when: 'before' },
  'before commit': { role: 'worker', call: 'set: commit', when: 'before' },
  'during commit': { role: 'worker', call: 'set: commit', when: 'half' },
  'after commit': { role: 'worker', call: 'set: commit', when: 'after' },
  'during fan-out': { role: 'worker', call: 'set: items', when: 'after' },
  'after a step of fan-out': { role: 'worker', call: 'set: commit of items', when: 'after' },
  'during expiry': { role: 'worker', call: 'set: expiry', when: 'after' },
  'during sweep': { role: 'any', call: 'events.takeDueEvents', when: 'after' },
};

/** @typedef {keyof typeof faultPoints} PointName */

/** The distinct store calls of all points. */
export const interceptedCalls = [
  ...new Set(Object.values(faultPoints).map(({ call }) => call)),
].filter((call) => !(call in setSteps));

/**
 * Returns the steps of a set that the command makes. The lock of events, from the second try on, is no outcome.
 * @param {string} command @param {{ args: any[], owner: import('./driver.mjs').Owner, hasItems: boolean }} given
 * @returns {SetStep[]}
 */
export function stepsOf(command, { args: [filter], owner, hasItems }) {
  if (owner === 'expiry') return command === 'sets.deleteOne' ? ['set: expiry'] : [];
  if (owner === null) return [];
  if (command === 'commit') return [hasItems ? 'set: commit of items' : 'set: commit'];
  if (command === 'events.updateMany' && filter.state === undefined) return [];
  const names = /** @type {SetStep[]} */ (Object.keys(setSteps));
  return names.filter(
    (name) =>
      name !== 'set: expiry' && /** @type {readonly string[]} */ (setSteps[name]).includes(command),
  );
}
