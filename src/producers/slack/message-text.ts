/** What a chat shows of an event of Slack: the text, its files with their links, or its kind. */
import { isText, objectsIn, type JsonObject } from '../../base/json/json-values.ts';
import type { Message } from '../messenger/messenger.ts';
import { line, linkIn, objectIn, wordsIn } from '../messenger/shown-text.ts';

const maxFiles = 10;

function textOf({ type, text, files, attachments, reaction }: JsonObject): string {
  const written = isText(text) && text.trim() !== '' ? [text] : [];
  const sent = objectsIn(files)
    .slice(0, maxFiles)
    .map(({ title, name, permalink, url_private: url }) =>
      line('file', wordsIn(title) ?? wordsIn(name), linkIn(permalink) ?? linkIn(url)),
    );
  // A forwarded message has its words in its attachments.
  const quoted = written.length > 0 ? [] : objectsIn(attachments).slice(0, maxFiles);
  const parts = [
    ...written,
    ...sent,
    ...quoted.flatMap((each) => wordsIn(each.text) ?? wordsIn(each.fallback) ?? []),
  ];
  if (parts.length > 0) return parts.join('\n');
  const emoji = wordsIn(reaction);
  return emoji === null ? line(wordsIn(type) ?? 'message') : line('reaction', `:${emoji}:`);
}

/** Returns null for what names no person who writes. */
export function readMessage(body: JsonObject): Message | null {
  const event = objectIn(body.event);
  return isText(event.user) ? { personId: wordsIn(event.user), text: textOf(event) } : null;
}
