/** The order of `domain/people/stamps.ts` as expressions of MongoDB. */
import { isOfReplay, separator, stampParts } from '../../domain/people/stamps.ts';

type Expression = Readonly<Record<string, unknown>> | string;

/**
 * Whether the stamp of `mine` replaces that of `current`; both are expressions. `stamps` are the values that `mine` can have: the
 * events of a first generation, which are nearly all, need only one comparison.
 */
export const replacesStored = (stamps: readonly string[], mine: Expression, current: string) =>
  ranksBefore(stamps, { mine, current, otherwise: { $gt: [mine, storedStamp(current)] } });

/** Whether the opening with the stamp replaces that of `current`. */
export const opensBeforeStored = (stamp: string, current: string) =>
  ranksBefore([stamp], { mine: stamp, current, otherwise: { $lt: [stamp, current] } });

const storedStamp = (current: string) => ({ $ifNull: [current, ''] });

type Comparison = {
  readonly mine: Expression;
  readonly current: string;
  /** For stamps of two writers. */
  readonly otherwise: Expression;
};

function ranksBefore(stamps: readonly string[], { mine, current, otherwise }: Comparison) {
  if (!stamps.some(isOfReplay)) return otherwise;
  const { eventId, generation, count } = stampParts;
  const parts = (stamp: Expression) => ({ $split: [stamp, separator] });
  const sizes = [{ $size: '$$one' }, { $size: '$$other' }];
  const both = (at: number) => [{ $arrayElemAt: ['$$one', at] }, { $arrayElemAt: ['$$other', at] }];
  const isSameEvent = {
    $and: [...sizes.map((size) => ({ $eq: [size, count] })), { $eq: both(eventId) }],
  };
  return {
    $let: {
      vars: { one: parts({ $ifNull: [mine, ''] }), other: parts(storedStamp(current)) },
      in: { $cond: [isSameEvent, { $gt: both(generation) }, otherwise] },
    },
  };
}
