/** Titles by id: some forms send their questions once, with ids, and the answers by those ids. */
import { isJsonObject } from '../../src/base/json/json-values.ts';
import { isScalar } from '../../src/mapping/value.ts';
import { readName } from '../names/concepts.ts';
import { titleKey } from './keyed-list.ts';

const maxTitles = 1_000;
const maxDepth = 12;

const idKeys = ['id', 'ref', 'key', 'uuid', 'slug'];
const titleKeys = ['title', 'label', 'question', 'name', 'text'];

// A number is an id only when its key names what it identifies, such as `questionId` or `field_id`.
const isKeyOfOther = (key: string): boolean => {
  const { words } = readName(key);
  return words.length > 1 && words.at(-1) === 'id';
};

/** Collects the titles of definitions anywhere in the payload. */
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
