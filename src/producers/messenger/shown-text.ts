/**
 * What a chat shows of a message that is more than a text: its kind, its words and its link, such as
 * `[location] Shop, Street 1 https://maps.google.com/?q=-23.55,-46.63`.
 *
 * Promises: pure, never throws, and bounded: a list has at most 20 entries, and a part of a line 4,096 characters.
 */
import { isJsonObject, isText, jsonObjectIn, objectsIn } from '../../base/json/json-values.ts';

const maxParts = 20;
const maxPartLength = 4_096;

/** Returns the text or the number without space around it; null for an empty text and any other value. */
export function wordsIn(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return isText(value) ? value.trim().slice(0, maxPartLength) || null : null;
}

/** Returns the address of a page; null for any other value. */
export const linkIn = (value: unknown): string | null =>
  isText(value) && /^https?:\/\/\S+$/i.test(value) ? value : null;

/** Returns the parts that say something, in one text. */
export const joinWords = (parts: readonly unknown[], separator: string): string | null =>
  parts
    .flatMap((part) => wordsIn(part) ?? [])
    .slice(0, maxParts)
    .join(separator) || null;

/** Returns `[kind] words link`. */
export const line = (kind: string, ...parts: readonly (string | null)[]): string =>
  [`[${kind.slice(0, 40)}]`, ...parts.filter((part) => part !== null)].join(' ');

type Place = {
  readonly names: readonly unknown[];
  readonly latitude: unknown;
  readonly longitude: unknown;
  readonly url?: unknown;
};

export function placeLine({ names, latitude, longitude, url }: Place): string {
  const at = joinWords([latitude, longitude], ',');
  const map = at?.includes(',') ? `https://maps.google.com/?q=${at}` : null;
  return line('location', joinWords([...new Set(names)], ', '), map ?? linkIn(url));
}

type Card = { readonly name: unknown; readonly phones: readonly unknown[] };

export const cardsLine = (cards: readonly Card[]): string =>
  line(
    'contact',
    joinWords(
      cards.slice(0, maxParts).map(({ name, phones }) => joinWords([name, ...phones], ' ')),
      '; ',
    ),
  );

/** Returns the name and the numbers of a vCard. */
export function readCard(vcard: unknown): Card {
  const lines = isText(vcard) ? vcard.slice(0, 20_000).split(/\r?\n/) : [];
  const valuesOf = (name: RegExp): string[] =>
    lines.filter((each) => name.test(each)).map((each) => each.slice(each.indexOf(':') + 1));
  return {
    name: valuesOf(/^(?:item\d+\.)?FN[;:]/i)[0],
    phones: valuesOf(/^(?:item\d+\.)?TEL[;:]/i).map((phone) => phone.replace(/^tel:/i, '')),
  };
}

type OrderedItem = {
  readonly quantity: unknown;
  readonly name: unknown;
  readonly price: unknown;
  readonly currency: unknown;
};

export const orderLine = (items: readonly OrderedItem[], text: unknown): string =>
  line(
    'order',
    joinWords(
      items.slice(0, maxParts).map(({ quantity, name, price, currency }) => {
        const cost = joinWords([currency, price], ' ');
        const product = joinWords([wordsIn(quantity) ?? '1', name ?? '?'], ' × ');
        return cost === null || wordsIn(price) === null ? product : `${product} (${cost})`;
      }),
      ', ',
    ),
    wordsIn(text),
  );

export const pollLine = (question: unknown, options: readonly unknown[]): string => {
  const choices = joinWords(options, ', ');
  return line('poll', wordsIn(question), choices === null ? null : `(${choices})`);
};

/** Members of the answers of a form that its program adds. */
const ofProgram = /^(?:flow_token|wa_flow_response_params|screen|version|action)$/;

/** Returns the answers of a form, which are JSON in a text; null when there are none. */
export function answersLine(json: unknown): string | null {
  const answers = isText(json) ? jsonObjectIn(json) : isJsonObject(json) ? json : {};
  const words = joinWords(
    Object.entries(answers)
      .filter(([name]) => !ofProgram.test(name))
      .flatMap(([name, value]) => {
        const answer = Array.isArray(value) ? joinWords(value, ', ') : answerOf(value);
        return answer === null ? [] : [`${name}: ${answer}`];
      }),
    ', ',
  );
  return words === null ? null : line('form', words);
}

const answerOf = (value: unknown): string | null =>
  typeof value === 'boolean' ? String(value) : wordsIn(value);

/** Returns the first of the parts that is an object; an empty one when none is. */
export const objectIn = (...values: readonly unknown[]): Record<string, unknown> =>
  values.find(isJsonObject) ?? {};

/** Returns the members of this name of the objects in a list. */
export const membersOf = (list: unknown, name: string): unknown[] =>
  objectsIn(list)
    .slice(0, maxParts)
    .map((each) => each[name]);

/** Returns the kind of a file by its content type, such as `image/jpeg`. */
export function kindOfFile(contentType: unknown): string {
  const type = isText(contentType) ? contentType.toLowerCase() : '';
  if (/vcard|directory/.test(type)) return 'contact';
  return /^(image|audio|video)\//.exec(type)?.[1] ?? 'document';
}
