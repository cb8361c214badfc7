/** Levels of objects and lists. MongoDB nests at most 100; real payloads have fewer than 15. */
export const maxDepth = 64;
/** Keys and elements together. The largest real payload seen has about 1,500. */
export const maxNodes = 50_000;
/** UTF-16 units of one string, or of one key. */
export const maxStringLength = 1_048_576;
export const maxKeyLength = 1_024;
