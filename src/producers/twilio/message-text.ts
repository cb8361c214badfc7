/** What a chat shows of a message that Twilio passes on. */
import type { JsonObject } from '../../base/json/json-values.ts';
import {
  answersLine,
  joinWords,
  kindOfFile,
  line,
  linkIn,
  placeLine,
  wordsIn,
} from '../messenger/shown-text.ts';

/** MMS has at most ten files. */
const maxFiles = 10;

function filesIn(
  body: JsonObject,
): readonly { readonly kind: string; readonly link: string | null }[] {
  const count = Math.min(Number(body.NumMedia) || 0, maxFiles);
  return Array.from({ length: Math.max(count, 0) }, (_, i) => ({
    kind: kindOfFile(body[`MediaContentType${i}`]),
    link: linkIn(body[`MediaUrl${i}`]),
  }));
}

/** The answer to a button, a list or a form; null for any other message. */
const answerIn = (body: JsonObject): string | null =>
  wordsIn(body.ButtonText) ??
  joinWords([body.ListTitle, body.ListDescription], ', ') ??
  wordsIn(body.ButtonPayload) ??
  wordsIn(body.ListId) ??
  answersLine(body.InteractiveData ?? body.FlowData);

/** The advertisement from which a person began to write. */
function referralIn(body: JsonObject): string | null {
  const { ReferralHeadline: headline, ReferralBody: text, ReferralSourceUrl: url } = body;
  const words = joinWords([headline, text], ', ');
  return words === null && linkIn(url) === null ? null : line('referral', words, linkIn(url));
}

/** Returns the text. A message without any of what is known has its type. */
export function textOfMessage(body: JsonObject): string {
  const text = wordsIn(body.Body);
  const [first, ...others] = filesIn(body);
  if (first)
    return [
      line(first.kind, text, first.link),
      ...others.map(({ kind, link }) => line(kind, link)),
    ].join('\n');
  const { Latitude: latitude, Longitude: longitude, Label, Address } = body;
  if (wordsIn(latitude) !== null && wordsIn(longitude) !== null) {
    const place = placeLine({ names: [Label, Address], latitude, longitude });
    return text === null || text === wordsIn(Label) ? place : `${text}\n${place}`;
  }
  const type = wordsIn(body.MessageType);
  return (
    text ??
    answerIn(body) ??
    referralIn(body) ??
    line(type === null || type === 'text' ? 'message' : type)
  );
}
