/** What the buckets of counters have in common. Field names of a document must not contain a dot, a dollar sign or NUL. */
import { hourMs } from '../../domain/mappings/drift.ts';
import type { Connection } from '../db/connection.ts';
import { sendUpdates } from '../db/updates.ts';

/** For indexes: a bucket is deleted at the end of its own time. */
export const expiry = { key: { expiresAt: 1 }, expireAfterSeconds: 0 } as const;

export const expiryOf = (hour: Date, days: number): Date => new Date(+hour + days * 24 * hourMs);

/** Adds counts to the buckets, and creates missing ones. Rejects when some counts may be missing. Do not retry: others are there. */
export const addToBuckets = (
  connection: Connection,
  collection: string,
  updates: readonly (readonly [id: string, update: Readonly<Record<string, unknown>>])[],
): Promise<void> =>
  sendUpdates(
    connection,
    collection,
    updates.map(([_id, u]) => ({ q: { _id }, u, upsert: true })),
  );

/** The colon prefix prevents a special meaning of names such as `__proto__` in JavaScript. */
export const encodeFieldName = (name: string): string =>
  `:${name.toWellFormed().replaceAll(/[%.$\0]/g, (sign) => escapes[sign] ?? '')}`;

export const decodeFieldName = (key: string): string =>
  key.slice(1).replaceAll(/%(?:25|2E|24|00)/g, (code) => signs[code] ?? '');

const escapes: Readonly<Record<string, string>> = {
  '%': '%25',
  '.': '%2E',
  $: '%24',
  '\0': '%00',
};
const signs = Object.fromEntries(Object.entries(escapes).map(([sign, code]) => [code, sign]));
