/** Describes documents that violate a unique index. An operator decides which of them to keep. */
import { rejectTooSlow } from './queries.ts';
import { collectionOf, type Connection, type IndexSpec } from './connection.ts';

const maxExamples = 3;
const maxIds = 5;
/** Less than the time limit of a socket. */
const maxTimeMS = 25_000;

type Group = { readonly ids: readonly string[]; readonly size: number };
type Found = { readonly count: readonly { groups: number }[]; readonly examples: readonly Group[] };

/**
 * Returns an empty string when there are no duplicates. Reads the whole collection. Lists ids only: values may be personal.
 * Throws QueryTooSlow.
 */
export async function describeDuplicates(connection: Connection, spec: IndexSpec): Promise<string> {
  const { collection, name, key, where } = spec;
  const fields = Object.keys(key);
  const grouped = Object.fromEntries(fields.map((field, n) => [`f${n}`, `$${field}`]));
  const [found] = await collectionOf(connection, collection)
    .aggregate<Found>(
      [
        { $match: where ?? {} },
        // An index has an entry for every element of a list.
        ...fields.map((field) => ({
          $unwind: { path: `$${field}`, preserveNullAndEmptyArrays: true },
        })),
        { $group: { _id: grouped, ids: { $addToSet: '$_id' } } },
        { $project: { size: { $size: '$ids' }, ids: { $slice: ['$ids', maxIds] } } },
        { $match: { size: { $gt: 1 } } },
        { $facet: { count: [{ $count: 'groups' }], examples: [{ $limit: maxExamples }] } },
      ],
      { allowDiskUse: true, maxTimeMS },
    )
    .toArray()
    .catch(rejectTooSlow);
  const groups = found?.count[0]?.groups ?? 0;
  if (groups === 0) return '';
  const examples = (found?.examples ?? []).map(({ ids, size }) => {
    const more = size > ids.length ? ` and ${size - ids.length} more` : '';
    return `    ${ids.join(', ')}${more}`;
  });
  return (
    `  ${collection}.${name} on ${fields.join(' and ')}: ${groups} group(s) of documents share what must be unique. ` +
    `Of _id, for example:\n${examples.join('\n')}`
  );
}
