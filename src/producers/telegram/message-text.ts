/** What a chat shows of a message of Telegram. Its files have an id that only the bot can read, and no link. */
import { isJsonObject, isText, type JsonObject } from '../../base/json/json-values.ts';
import {
  cardsLine,
  joinWords,
  line,
  membersOf,
  objectIn,
  placeLine,
  pollLine,
  wordsIn,
} from '../messenger/shown-text.ts';

type Show = (part: JsonObject) => string;

const file =
  (kind: string, ...names: readonly string[]): Show =>
  (part) =>
    line(
      kind,
      joinWords(
        names.map((name) => part[name]),
        ', ',
      ),
    );

const place: Show = ({ latitude, longitude }) => placeLine({ names: [], latitude, longitude });

/** An amount is in the smallest unit of its currency, which has two decimals in most. */
const payment: Show = ({ currency, total_amount: amount, invoice_payload: payload }) =>
  line('payment', joinWords([currency, amount, payload], ' '));

/** In the order in which they are looked for: a venue has its location beside it, and an animation its document. */
const shows: Readonly<Record<string, Show>> = {
  photo: () => line('photo'),
  voice: file('voice'),
  audio: file('audio', 'performer', 'title', 'file_name'),
  video: file('video', 'file_name'),
  video_note: file('video_note'),
  animation: file('animation'),
  document: file('document', 'file_name'),
  sticker: file('sticker', 'emoji'),
  venue: ({ title, address, location }) => {
    const { latitude, longitude } = objectIn(location);
    return placeLine({ names: [title, address], latitude, longitude });
  },
  location: place,
  contact: ({ first_name: first, last_name: last, phone_number: phone }) =>
    cardsLine([{ name: joinWords([first, last], ' '), phones: [phone] }]),
  poll: ({ question, options }) => pollLine(question, membersOf(options, 'text')),
  dice: ({ emoji, value }) => line('dice', joinWords([emoji, value], ' ')),
  game: ({ title, description }) => line('game', joinWords([title, description], ', ')),
  story: () => line('story'),
  invoice: ({ title, description }) => line('invoice', joinWords([title, description], ', ')),
  successful_payment: payment,
  web_app_data: ({ button_text: button, data }) => line('form', joinWords([button, data], ': ')),
  checklist: ({ title, tasks }) =>
    line('checklist', joinWords([title, ...membersOf(tasks, 'text')], ', ')),
};

/** What a message has beside its content. */
const around =
  /^(?:message_id|message_thread_id|from|chat|sender_.*|date|edit_date|business_.*|forward_.*|is_.*|has_.*|reply_.*|quote|external_reply|via_bot|media_group_id|author_signature|entities|caption.*|link_preview_options|effect_id|show_.*|paid_.*|direct_.*|guest_.*|messenger)$/;

/** Returns the text. A message without any of what is known has the name of its content. */
export function textOfMessage(message: JsonObject): string {
  const { text, caption } = message;
  if (isText(text) && text.trim() !== '') return text;
  const name = Object.keys(shows).find((key) => message[key] !== undefined);
  const words = wordsIn(caption);
  if (name !== undefined) {
    const part: unknown = message[name];
    const shown = shows[name]?.(isJsonObject(part) ? part : {}) ?? line(name);
    return words === null ? shown : `${shown} ${words}`;
  }
  const other = Object.keys(message).find((key) => !around.test(key));
  return words ?? line(other ?? 'message');
}
