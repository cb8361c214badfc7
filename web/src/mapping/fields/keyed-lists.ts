/**
 * Lists whose entries have a name and a value, such as custom fields and form answers. They are shown and read
 * by name, because their order and number vary between requests.
 */
import type { Scalar } from '../document/mapping-document.ts';
import { equalsCondition, type Step } from './field-path.ts';

export type Entry = {
  readonly condition: string;
  /** The key of the entry. */
  readonly label: string;
  /** The display name, when it differs. */
  readonly title: string | null;
  /** The path from the entry to its value. */
  readonly rest: readonly Step[];
  readonly value: unknown;
};

type Fields = Readonly<Record<string, unknown>>;
type Label = { readonly keys: readonly string[]; readonly value: Scalar; readonly rank: number };

// In order of preference for a selector: machine names before names that people edit.
const labelWords = 'code key slug ref alias field name nome campo label title question'
  .split(' ')
  .concat('heading pergunta pregunta attribute id property'.split(' '));
const titleWords = 'title label question heading pergunta pregunta name nome campo'.split(' ');
const valueWords = 'value values answer answers valor valores resposta respostas respuesta'
  .split(' ')
  .concat(['response', 'val']);
const innerWords = 'value label text answer name full plain_text content email number'.split(' ');
const maxEntries = 300;
const maxLabelLength = 300;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const lastWord = (key: string): string =>
  key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\d]+/u)
    .findLast((word) => word !== '')
    ?.toLowerCase() ?? '';

function labelsIn(fields: Fields, before: readonly string[]): Label[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (!isScalar(value) || value === '' || String(value).length > maxLabelLength) return [];
    const word = lastWord(key);
    const rank = labelWords.indexOf(word);
    const isType = word === 'type' && valueKeyOf(fields) !== undefined;
    if (rank < 0 && !isType) return [];
    return [{ keys: [...before, key], value, rank: rank < 0 ? labelWords.length : rank }];
  });
}

/** Labels of the entry, and of a nested object that describes the field. */
const labelsOf = (item: Fields): Label[] =>
  [
    ...labelsIn(item, []),
    ...Object.entries(item).flatMap(([key, value]) =>
      isFields(value) && labelWords.includes(lastWord(key)) ? labelsIn(value, [key]) : [],
    ),
  ].toSorted((one, other) => one.rank - other.rank);

function valueKeyOf(item: Fields): string | undefined {
  const keys = Object.keys(item);
  const key =
    keys.find((each) => valueWords.includes(each.toLowerCase())) ??
    keys.find((each) => valueWords.includes(lastWord(each)));
  if (key !== undefined) return key;
  // `{ type: 'email', email: … }`: the value is under the name of its type.
  const { type } = item;
  return typeof type === 'string' && type !== 'type' && Object.hasOwn(item, type)
    ? type
    : undefined;
}

/** The first scalar inside a value, with its path. */
function descend(value: unknown, rest: readonly Step[]): { rest: readonly Step[]; value: unknown } {
  if (rest.length > 6) return { rest, value };
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    if (list.length === 0 || (list.length > 1 && list.every(isScalar))) return { rest, value };
    return descend(list[0], [...rest, { is: 'at', index: 0 }]);
  }
  if (!isFields(value)) return { rest, value };
  const key = innerWords.find((each) => isScalar(value[each]) || Array.isArray(value[each]));
  return key === undefined ? { rest, value } : descend(value[key], [...rest, { is: 'key', key }]);
}

const labelKey = ({ keys, value }: Label): string => JSON.stringify([keys, typeof value, value]);

function countsOf(labels: readonly (readonly Label[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels.flat())
    counts.set(labelKey(label), (counts.get(labelKey(label)) ?? 0) + 1);
  return counts;
}

function titleOf(labels: readonly Label[], chosen: Label): string | null {
  const named = labels
    .filter(({ keys, value }) => titleWords.includes(lastWord(keys.at(-1) ?? '')) && value !== '')
    .toSorted((one, other) => titleRank(one) - titleRank(other))[0];
  return named === undefined || named.value === chosen.value ? null : String(named.value);
}

const titleRank = ({ keys }: Label): number => titleWords.indexOf(lastWord(keys.at(-1) ?? ''));

/** The entries of a keyed list; null for other lists. */
export function entriesOf(list: readonly unknown[]): Entry[] | null {
  const head = list.slice(0, maxEntries);
  const items = head.filter(isFields);
  if (items.length === 0 || items.length < head.length) return null;
  const labels = items.map(labelsOf);
  const values = items.map(valueKeyOf);
  if (labels.some((own) => own.length === 0) || values.every((key) => key === undefined)) {
    return null;
  }
  const counts = countsOf(labels);
  const entries = items.flatMap((item, at): Entry[] => {
    const own = labels[at] ?? [];
    const key = values[at];
    const chosen = own.find((label) => counts.get(labelKey(label)) === 1);
    if (key === undefined || chosen === undefined) return [];
    const found = descend(item[key], [{ is: 'key', key }]);
    return [
      {
        condition: equalsCondition(chosen.keys, chosen.value),
        label: String(chosen.value),
        title: titleOf(own, chosen),
        ...found,
      },
    ];
  });
  // A list is keyed only when most entries have a unique name.
  return entries.length * 2 > items.length ? entries : null;
}
