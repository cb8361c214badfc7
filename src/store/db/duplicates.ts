/** Documents that stand in the way of a unique index, in words for the person who has to decide about them. */
import type { Connection, IndexSpec } from './connection.ts';
import { collectionOf, majorityRead } from './connection.ts';

const maxExamples = 3;
const maxIds = 5;

type Group = { readonly ids: readonly string[]; readonly size: number };
type Found = { readonly count: readonly { groups: number }[]; readonly examples: readonly Group[] };

/** Empty when nothing stands in the way. Reads the whole collection; values are not told, since they may be personal. */
export async function describeDuplicates(connection: Connection, spec: IndexSpec): Promise<string> {
  const { collection, name, key, where } = spec;
  const fields = Object.keys(key);
  const grouped = Object.fromEntries(fields.map((field, n) => [`f${n}`, `$${field}`]));
  const [found] = await collectionOf(connection, collection)
    .aggregate<Found>(
      [
        { $match: where ?? {} },
        // An index holds every element of a list; anything else is left as it is.
        ...fields.map((field) => ({
          $unwind: { path: `$${field}`, preserveNullAndEmptyArrays: true },
        })),
        { $group: { _id: grouped, ids: { $addToSet: '$_id' } } },
        { $project: { size: { $size: '$ids' }, ids: { $slice: ['$ids', maxIds] } } },
        { $match: { size: { $gt: 1 } } },
        { $facet: { count: [{ $count: 'groups' }], examples: [{ $limit: maxExamples }] } },
      ],
      { allowDiskUse: true, ...majorityRead },
    )
    .toArray();
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
