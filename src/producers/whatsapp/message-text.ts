/** What a chat shows of a message of the WhatsApp Cloud API. */
import { isJsonObject, isText, objectsIn, type JsonObject } from '../../base/json/json-values.ts';
import {
  answersLine,
  cardsLine,
  joinWords,
  line,
  linkIn,
  membersOf,
  objectIn,
  orderLine,
  placeLine,
  wordsIn,
} from '../messenger/shown-text.ts';

type Show = (part: JsonObject, message: JsonObject) => string | null;

const media =
  (kind: string): Show =>
  ({ filename, caption, url, link }) =>
    line(kind, joinWords([filename, caption], ' '), linkIn(url) ?? linkIn(link));

/** The answer to a list, a button, a form or a request to call. */
const answer: Show = (part) => {
  const { button_reply: button, list_reply: row, nfm_reply: form } = part;
  const { title, description, id } = objectIn(button, row);
  const { response_json: json, body } = objectIn(form);
  const { response } = objectIn(part.call_permission_reply);
  return (
    joinWords([title ?? id, description], ', ') ??
    answersLine(json) ??
    wordsIn(body) ??
    (wordsIn(response) === null ? null : line('call permission', wordsIn(response)))
  );
};

const shows: Readonly<Record<string, Show>> = {
  image: media('image'),
  video: media('video'),
  audio: media('audio'),
  document: media('document'),
  sticker: media('sticker'),
  button: ({ text, payload }) => wordsIn(text) ?? wordsIn(payload),
  interactive: answer,
  location: ({ name, address, latitude, longitude, url }) =>
    placeLine({ names: [name, address], latitude, longitude, url }),
  order: ({ product_items: items, text }) =>
    orderLine(
      objectsIn(items)
        .slice(0, 20)
        .map(({ quantity, product_retailer_id: name, item_price: price, currency }) => ({
          quantity,
          name,
          price,
          currency,
        })),
      text,
    ),
  // An empty one takes the reaction back.
  reaction: ({ emoji }) => (wordsIn(emoji) === null ? null : line('reaction', wordsIn(emoji))),
  system: ({ body }) => (wordsIn(body) === null ? null : line('system', wordsIn(body))),
  edit: ({ message }) => {
    const text = isJsonObject(message) ? textOfMessage(message, { mayEdit: false }) : null;
    return line('edit', text);
  },
};

const cards = (contacts: unknown): string =>
  cardsLine(
    objectsIn(contacts)
      .slice(0, 20)
      .map(({ name, phones }) => {
        const { formatted_name: whole, first_name: first } = objectIn(name);
        return { name: whole ?? first, phones: membersOf(phones, 'phone') };
      }),
  );

/** The reason why WhatsApp does not pass the content on. */
function reasonIn({ errors, unsupported }: JsonObject): string | null {
  const [{ title, message, error_data: data } = {}] = objectsIn(errors);
  return joinWords([objectIn(unsupported).type, objectIn(data).details ?? title ?? message], ', ');
}

/** Types of which nothing is shown without their words. */
const silent = new Set(['reaction', 'system']);

/** Returns the text; null for what nobody wrote. */
export function textOfMessage(message: JsonObject, { mayEdit = true } = {}): string | null {
  const { type, text, contacts } = message;
  const { body } = objectIn(text);
  if (isText(body) && body.trim() !== '') return body;
  if (!isText(type)) return null;
  if (type === 'contacts') return cards(contacts);
  const show = Object.hasOwn(shows, type) && (mayEdit || type !== 'edit') ? shows[type] : undefined;
  const shown = show?.(objectIn(message[type]), message) ?? null;
  if (shown !== null || silent.has(type)) return shown;
  return line(type, reasonIn(message));
}
