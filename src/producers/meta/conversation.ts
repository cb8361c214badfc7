/** Reads what a person writes in Messenger or Instagram. */
import { isJsonObject, isText, objectsIn, type JsonObject } from '../../base/json/json-values.ts';
import type { Message } from '../messenger/messenger.ts';
import { joinWords, line, linkIn, objectIn, placeLine, wordsIn } from '../messenger/shown-text.ts';

const maxAttachments = 10;

function attachmentText({ type, title, url, payload }: JsonObject): string {
  const part = objectIn(payload);
  const kind = isText(type) ? type : 'attachment';
  const { lat: latitude, long: longitude } = objectIn(part.coordinates);
  if (kind === 'location')
    return placeLine({ names: [title, part.title], latitude, longitude, url: url ?? part.url });
  const product = objectsIn(objectIn(part.product).elements).map((each) => each.title);
  const words = joinWords([...new Set([title, part.title, ...product])], ', ');
  return line(kind === 'fallback' ? 'link' : kind, words, linkIn(part.url) ?? linkIn(url));
}

/** Returns what is written or sent; null for a deleted message. */
function textOf(message: JsonObject): string | null {
  if (message.is_echo === true || message.is_deleted === true) return null;
  const { text, attachments, quick_reply: reply, reply_to: replied } = message;
  const story = linkIn(objectIn(objectIn(replied).story).url);
  const written = isText(text) && text.trim() !== '' ? text : null;
  const files = objectsIn(attachments).slice(0, maxAttachments).map(attachmentText);
  const parts = [
    ...(story === null ? [] : [line('story', story)]),
    ...(written === null ? [] : [written]),
    ...files,
  ];
  if (parts.length > 0) return parts.join('\n');
  return (
    wordsIn(objectIn(reply).payload) ??
    line(message.is_unsupported === true ? 'unsupported' : 'message')
  );
}

function textOfItem({ message, postback, reaction }: JsonObject): string | null {
  if (isJsonObject(message)) return textOf(message);
  if (isJsonObject(postback))
    return wordsIn(postback.title) ?? wordsIn(postback.payload) ?? line('button');
  if (!isJsonObject(reaction) || reaction.action === 'unreact') return null;
  return line('reaction', wordsIn(reaction.emoji) ?? wordsIn(reaction.reaction));
}

/** Returns null for what no person wrote, such as a receipt. */
export function readConversation(item: JsonObject): Message | null {
  const text = textOfItem(item);
  return text === null ? null : { personId: wordsIn(objectIn(item.sender).id), text };
}
