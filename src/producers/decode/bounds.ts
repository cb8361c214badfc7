/** How large a decoded body may be. MongoDB nests at most 100 levels; real payloads stay below 15. */
export const maxDepth = 64;
/** Keys and elements together; the largest real payload seen has about 1,500. */
export const maxNodes = 50_000;
/** UTF-16 units of one string, or of one key. */
export const maxStringLength = 1_048_576;
export const maxKeyLength = 1_024;
