// Points at which a process can be killed or stopped: before a call of a store, halfway through its records, or after it.
// A call without an effect (nothing claimed, nothing due) is no hit.

/**
 * @typedef {import('../../../../src/store/stores.ts').Stores} Stores
 * @typedef {{ [S in keyof Stores]: `${S}.${keyof Stores[S] & string}` }[keyof Stores]} StoreCall
 *
 * @typedef {object} Point
 * @property {'server' | 'worker' | 'any'} role which role reaches it; any: the first process that does
 * @property {StoreCall} call
 * @property {'before' | 'half' | 'after'} when
 */

/** @satisfies {Record<string, Point>} */
export const faultPoints = {
  'after insert, before enqueue': { role: 'server', call: 'events.insert', when: 'after' },
  'halfway through insert': { role: 'server', call: 'events.insert', when: 'half' },
  'after a resend was counted': { role: 'server', call: 'events.countResends', when: 'after' },
  'during replay': { role: 'server', call: 'events.replay', when: 'after' },
  'during a replay of many': { role: 'any', call: 'events.replayMany', when: 'after' },
  'during resume': { role: 'any', call: 'events.releaseHeld', when: 'after' },
  'halfway through resume': { role: 'any', call: 'events.releaseHeld', when: 'half' },
  'after claim': { role: 'worker', call: 'events.claim', when: 'after' },
  'after identities': { role: 'worker', call: 'identities.claim', when: 'after' },
  'halfway through identities': { role: 'worker', call: 'identities.claim', when: 'half' },
  'after contacts': { role: 'worker', call: 'contacts.applyChanges', when: 'after' },
  'halfway through contacts': { role: 'worker', call: 'contacts.applyChanges', when: 'half' },
  'after chats': { role: 'worker', call: 'chats.open', when: 'after' },
  'halfway through chats': { role: 'worker', call: 'chats.open', when: 'half' },
  'after messages': { role: 'worker', call: 'messages.insert', when: 'after' },
  'halfway through messages': { role: 'worker', call: 'messages.insert', when: 'half' },
  'before finish': { role: 'worker', call: 'events.finish', when: 'before' },
  'halfway through finish': { role: 'worker', call: 'events.finish', when: 'half' },
  'after finish': { role: 'worker', call: 'events.finish', when: 'after' },
  'during fan-out': { role: 'worker', call: 'events.insert', when: 'after' },
  'halfway through fan-out': { role: 'worker', call: 'events.insert', when: 'half' },
  'during sweep': { role: 'any', call: 'events.takeDueEvents', when: 'after' },
};

/** @typedef {keyof typeof faultPoints} PointName */

/** The distinct store calls of all points. */
export const interceptedCalls = [...new Set(Object.values(faultPoints).map(({ call }) => call))];
