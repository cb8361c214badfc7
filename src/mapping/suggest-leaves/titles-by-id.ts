/** What ids stand for: a form sends its questions once, with ids, and its answers by those ids. */
import { isScalar } from '../value.ts';
import { readName } from '../suggest-names/concepts.ts';
import { isJsonObject, titleKey } from './keyed-list.ts';

const maxTitles = 1_000;
const maxDepth = 12;

const idKeys = ['id', 'ref', 'key', 'uuid', 'slug'];
const titleKeys = ['title', 'label', 'question', 'name', 'text'];

// `questionId`, `field_id`: a number may be an id where the key says of what.
const isKeyOfOther = (key: string): boolean => {
  const { words } = readName(key);
  return words.length > 1 && words.at(-1) === 'id';
};

/** Titles by id, from definitions anywhere in the payload. */
export function titlesById(body: unknown): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  const visit = (value: unknown, depth: number): void => {
    if (depth > maxDepth || titles.size >= maxTitles) return;
    if (Array.isArray(value)) {
      for (const each of value.slice(0, maxTitles)) visit(each, depth + 1);
    } else if (isJsonObject(value)) {
      const title = titleKeys.map((key) => value[key]).find((text) => typeof text === 'string');
      if (typeof title === 'string') {
        for (const key of idKeys) {
          const id = value[key];
          if (typeof id === 'string' && id.length > 2 && id !== title) titles.set(id, title);
        }
        for (const [key, id] of Object.entries(value)) {
          if (isScalar(id) && isKeyOfOther(key)) titles.set(titleKey(key, id), title);
        }
      }
      for (const each of Object.values(value)) visit(each, depth + 1);
    }
  };
  visit(body, 0);
  return titles;
}
