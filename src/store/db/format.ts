/** Which documents this release may work on. */
import { formatVersion } from '../../domain/format-version.ts';

/** For filters of claims, and of what is looked for to be claimed. `needs` is absent in most documents. */
export const readable = { needs: { $not: { $gt: formatVersion } } } as const;
