/** What a chat shows of the content of a message in the protocol of WhatsApp's web client, as Evolution API and WAHA post it. */
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
  pollLine,
  readCard,
  wordsIn,
} from './shown-text.ts';

/** Messages in another one, such as one that disappears. */
const wrappers = [
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'deviceSentMessage',
  'lottieStickerMessage',
];
const maxWrappers = 4;

/** What the client sends for itself, and nobody wrote. */
const silent =
  /^(?:messageContextInfo|senderKeyDistributionMessage|fastRatchetKeySenderKeyDistributionMessage|protocolMessage|deviceSentMessage|base64|mediaUrl|encReactionMessage|pollUpdateMessage|pinInChatMessage|keepInChatMessage)$/;

/** Undefined: the kind alone. Null: nobody wrote it. */
type Show = (part: JsonObject, message: JsonObject) => string | null | undefined;

const media =
  (kind: string): Show =>
  (part, message) =>
    line(
      kind,
      joinWords([...new Set([part.fileName, part.title, part.caption])], ' '),
      linkIn(message.mediaUrl) ?? linkIn(part.url),
    );

const choice =
  (...names: readonly string[]): Show =>
  (part) =>
    joinWords(
      names.map((name) => part[name]),
      ', ',
    ) ?? undefined;

const place: Show = ({ name, address, comment, degreesLatitude, degreesLongitude, url }) =>
  placeLine({
    names: [name, address, comment],
    latitude: degreesLatitude,
    longitude: degreesLongitude,
    url,
  });

const cardOf = ({ displayName, vcard }: JsonObject) => {
  const card = readCard(vcard);
  return { ...card, name: wordsIn(displayName) ?? card.name };
};

const poll: Show = ({ name, options }) => pollLine(name, membersOf(options, 'optionName'));

const shows: Readonly<Record<string, Show>> = {
  imageMessage: media('image'),
  videoMessage: media('video'),
  ptvMessage: media('video'),
  audioMessage: media('audio'),
  documentMessage: media('document'),
  stickerMessage: media('sticker'),
  locationMessage: place,
  liveLocationMessage: place,
  contactMessage: (card) => cardsLine([cardOf(card)]),
  contactsArrayMessage: ({ contacts }) => cardsLine(objectsIn(contacts).slice(0, 20).map(cardOf)),
  // An empty one takes the reaction back.
  reactionMessage: ({ text }) => (wordsIn(text) === null ? null : line('reaction', wordsIn(text))),
  buttonsResponseMessage: choice('selectedDisplayText'),
  templateButtonReplyMessage: choice('selectedDisplayText'),
  listResponseMessage: choice('title', 'description'),
  interactiveResponseMessage: ({ body, nativeFlowResponseMessage }) =>
    answersLine(objectIn(nativeFlowResponseMessage).paramsJson) ??
    wordsIn(objectIn(body).text) ??
    undefined,
  pollCreationMessage: poll,
  pollCreationMessageV2: poll,
  pollCreationMessageV3: poll,
  orderMessage: ({ itemCount, orderTitle, message }) =>
    orderLine([{ quantity: itemCount, name: orderTitle, price: null, currency: null }], message),
  productMessage: ({ product, body }) => {
    const { title, description, url } = objectIn(product);
    return line('product', joinWords([title, description, body], ', '), linkIn(url));
  },
  groupInviteMessage: ({ groupName, caption }) =>
    line('invitation', joinWords([groupName, caption], ', ')),
  eventMessage: ({ name, description, joinLink }) =>
    line('event', joinWords([name, description], ', '), linkIn(joinLink)),
};

/** Returns the message without those around it, and with the link of its file. */
function unwrapped(content: JsonObject): JsonObject {
  let message = content;
  for (let i = 0; i < maxWrappers; i++) {
    const wrapper = wrappers.map((name) => message[name]).find(isJsonObject);
    if (wrapper === undefined) break;
    message = objectIn(wrapper.message, wrapper);
  }
  return { ...message, mediaUrl: message.mediaUrl ?? content.mediaUrl };
}

/** Returns the text; null when nobody wrote the message. */
export function textOfContent(content: unknown): string | null {
  if (!isJsonObject(content)) return null;
  const message = unwrapped(content);
  const { conversation, extendedTextMessage } = message;
  const text = isText(conversation) ? conversation : objectIn(extendedTextMessage).text;
  if (isText(text) && text.trim() !== '') return text;
  const [name, part] =
    Object.entries(message).find(([key, each]) => !silent.test(key) && isJsonObject(each)) ?? [];
  if (name === undefined || !isJsonObject(part)) return null;
  const shown = Object.hasOwn(shows, name) ? shows[name]?.(part, message) : undefined;
  return shown === undefined ? line(name.replace(/Message(?:V\d)?$/, '')) : shown;
}
