/**
 * The bounds of the work that mappings cause, in one place.
 *
 * One unit of work is one step of an expression, about 50 ns, or other work that takes as long. The most expensive known
 * expressions take up to 300 ns for a unit (test/unit/mapping/work-budget.test.ts has them). Work is counted, not timed, so
 * the same payload always has the same result.
 */

/**
 * The work of mapping one event, which is done without a pause: 15 ms, and 90 ms in the worst known case. The event loop
 * must not be blocked for more than 100 ms. Real mappings use 50 to 5,000 units.
 */
export const maxWorkPerEvent = 300_000;

/**
 * The work that one body or one request of the API may cause, over all its items. That of a body is done in pieces of at most
 * `maxWorkPerEvent`, and other work in between; that of a request in a thread.
 */
export const maxWorkPerRequest = 10_000_000;

/** The most items of one body. Each becomes an event. */
export const maxItems = 1_000;

/** The work of one item of a body with this many. All items together stay within `maxWorkPerRequest`. */
export const workOfItem = (items: number): number =>
  Math.min(maxWorkPerEvent, Math.floor(maxWorkPerRequest / Math.max(items, 1)));

/** The work of compiling one mapping document, which is done without a pause: 75 ms. */
export const maxCompileWork = 1_500_000;

/** Compiling an expression takes 4 µs, and 0.7 µs for each character. */
export const expressionUnits = { each: 80, perCharacter: 12 } as const;

/**
 * Compiling a pattern takes 50 µs, up to 0.25 ms for each class of Unicode characters, whose table of ranges is built again,
 * and 2 µs for each copy of a repeated part.
 */
export const patternUnits = {
  each: 1_000,
  perCharacter: 40,
  perUnicodeClass: 5_000,
  perCopy: 40,
} as const;

/** Characters of a JSON text or a body that are parsed, written or hashed in one unit. */
export const jsonCharactersPerUnit = 16;

/** A step of a suggestion reads one sample, at most 4,000 nodes of it, in up to 40 ms; usual samples take 1 ms. */
export const suggestStepUnits = 50_000;

/** A character of a target is copied, written to the database and sent, about three times. */
export const storedUnitsPerCharacter = 1 / 2;
