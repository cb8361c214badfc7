/**
 * Recognises mails that no person wrote: automatic replies (RFC 3834), and reports of a mail that could not be delivered
 * (RFC 3464), and in these the mail that they are about.
 */

type AutomaticKind = 'auto_reply' | 'bounce';

export type Headers = (name: string) => string | null;

const maxIdsText = 16_384;
const maxIds = 50;

/** Returns the message ids in a header, with their angle brackets. */
export const messageIdsIn = (text: string | null): readonly string[] =>
  ((text ?? '').slice(0, maxIdsText).match(/<[^<>\s]{1,250}>/g) ?? []).slice(0, maxIds);

const automaticPrecedence = new Set(['auto_reply', 'auto-reply']);

/** `returnPath`: the sender of the envelope; null when it is unknown, empty when the mail has none. */
type Envelope = { readonly returnPath: string | null; readonly from: string | null };

/** Returns null for a mail of a person. */
export function automaticKindOf(header: Headers, envelope: Envelope): AutomaticKind | null {
  const type = (header('content-type') ?? '').toLowerCase();
  const isReport = type.startsWith('multipart/report');
  if (isReport && !type.includes('disposition-notification')) return 'bounce';
  if (header('x-failed-recipients') !== null) return 'bounce';
  const isNull = envelope.returnPath === '' || envelope.returnPath === '<>';
  const isAutomatic = isReport || isNull || saysAutomatic(header);
  const [user = ''] = (envelope.from ?? '').split('@', 1);
  if (user === 'mailer-daemon' || (user === 'postmaster' && isAutomatic)) return 'bounce';
  return isAutomatic ? 'auto_reply' : null;
}

function saysAutomatic(header: Headers): boolean {
  const submitted = header('auto-submitted')?.trim().toLowerCase() ?? 'no';
  const precedence = header('precedence')?.trim().toLowerCase() ?? '';
  return (
    !/^no\b/.test(submitted) ||
    automaticPrecedence.has(precedence) ||
    header('x-autoreply') !== null ||
    header('x-autorespond') !== null
  );
}

const reportParts = /^(?:message\/(?:delivery-status|rfc822)|text\/rfc822-headers)\b/i;

/** Returns whether a part of this type says which mail a report is about. */
export const isReportPart = (contentType: string): boolean => reportParts.test(contentType);

const maxReportText = 65_536;

/**
 * `parts`: the text of the report, and what is known of its other parts. Returns whether it says that the mail will not be
 * delivered, which a report of a delay does not, the enhanced status code, and the ids of the mail that it is about, the
 * likeliest first.
 */
export function readBounce(header: Headers, parts: readonly string[]) {
  const texts = parts.map((part) => part.slice(0, maxReportText));
  const find = (pattern: RegExp): string | null =>
    texts.map((text) => pattern.exec(text)?.[1]).find((found) => found !== undefined) ?? null;
  const action = find(/^action:[ \t]*(\w{1,20})/im)?.toLowerCase() ?? null;
  const status =
    find(/^status:[ \t]*([245]\.\d{1,3}\.\d{1,3})/im) ?? find(/\b(5\.\d{1,3}\.\d{1,3})\b/);
  const isPermanent = header('x-failed-recipients') !== null || status?.startsWith('5.') === true;
  const failed = action === null ? isPermanent : action === 'failed';
  const named = find(/^message-id:[ \t]*(<[^<>\s]{1,250}>)/im);
  const messageIds = [
    ...(named === null ? [] : [named]),
    ...messageIdsIn(header('in-reply-to')),
    ...messageIdsIn(header('references')).toReversed(),
  ];
  return { failed, status, messageIds: [...new Set(messageIds)].slice(0, maxIds) };
}
