/** The name that follows from its parts (`domain/people/name-parts.ts`) as stages of MongoDB, around those that write the parts. */
import { partialClass, type PartRegisters } from '../../domain/people/name-parts.ts';

type Expression = Readonly<Record<string, unknown>> | string;

/** The value that events wrote, also where a pin or a member hides it. */
const written = (key: string): Expression => ({
  $cond: [isHidden(key), `$beneath.${key}`, `$registers.${key}`],
});
const isHidden = (key: string) => ({ $ne: [{ $type: `$beneath.${key}` }, 'missing'] });
const stampOf = (register: Expression) => ({
  $ifNull: [{ $getField: { field: 'stamp', input: register } }, ''],
});

const partialStamp = (stamp: Expression) => ({
  $concat: [partialClass, { $substrCP: [stamp, 1, { $strLenCP: stamp }] }],
});

/** Fields of the update that the last stage removes. */
const fields = { before: 'nameBefore', now: 'nameNow' } as const;
const [before, now] = [`$${fields.before}`, `$${fields.now}`];

/** Keeps the stamp of the name if it follows from the parts, or if there is no name. */
export function stageBefore({ keys }: PartRegisters) {
  const name = stampOf(written('name'));
  const last = { $ifNull: [{ $max: keys.map((key) => stampOf(written(key))) }, ''] };
  const mayChange = { $in: [name, ['', last, partialStamp(last)]] };
  return { $set: { [fields.before]: { $cond: [mayChange, name, null] } } };
}

/** Writes the name, where the parts give one that ranks later or where the name followed from them before. */
export function stagesAfter({ keys, separator }: PartRegisters) {
  const wins = {
    $and: [
      { $ne: [now, null] },
      {
        $or: [
          { $eq: [stampOf(written('name')), before] },
          { $gt: [`${now}.stamp`, stampOf(written('name'))] },
        ],
      },
    ],
  };
  const isShown = { $gt: [`${now}.stamp`, { $ifNull: ['$registers.name.stamp', ''] }] };
  const beneath = { $cond: [wins, { $cond: [isShown, '$$REMOVE', now] }, '$beneath.name'] };
  const replaces = { $and: [wins, { $or: [{ $not: [isHidden('name')] }, isShown] }] };
  return [
    { $set: { [fields.now]: nameOf(keys, separator) } },
    {
      $set: {
        'registers.name': { $cond: [replaces, now, '$registers.name'] },
        'beneath.name': { $cond: [isHidden('name'), beneath, '$$REMOVE'] },
      },
    },
    { $unset: Object.values(fields) },
  ];
}

function nameOf(keys: readonly string[], separator: string) {
  const known = {
    $filter: { input: keys.map(written), cond: { $eq: [{ $type: '$$this.value' }, 'string'] } },
  };
  const joined = {
    $reduce: {
      input: '$$known.value',
      initialValue: null,
      in: {
        $cond: [
          { $eq: ['$$value', null] },
          '$$this',
          { $concat: ['$$value', { $literal: separator }, '$$this'] },
        ],
      },
    },
  };
  const last = { $max: '$$known.stamp' };
  const isComplete = { $eq: [{ $size: '$$known' }, keys.length] };
  const name = { value: joined, stamp: { $cond: [isComplete, last, partialStamp(last)] } };
  return {
    $let: { vars: { known }, in: { $cond: [{ $eq: [{ $size: '$$known' }, 0] }, null, name] } },
  };
}
