/**
 * Separates what a person wrote in a mail from the history that their program quoted, and from the signature.
 *
 * Promises: linear time, because it goes once over the lines, and each pattern sees one short line. Nothing is lost: the parts
 * together are the text, and a mail without words of its own is returned whole.
 */

/** Longer lines are no header of a quote. */
const maxHeaderLength = 400;
/** Programs break the header of a quote over so many lines. */
const maxHeaderLines = 3;

const isQuoted = (line: string): boolean => line.startsWith('>');
const isBlank = (line: string): boolean => line.trim() === '';

const opens = /^(?:on|em|no dia|el|le|am|il|op|den|dnia|w dniu)(?!\p{L})/iu;
const says =
  /(?:wrote|escreveu|escribió|a écrit|schrieb|ha scritto|schreef|skrev|napisał(?:\(a\))?|pisze)(?!\p{L})/iu;
/** `Am 6. Januar 2026 schrieb Ana <ana@example.com>:` has the verb inside. */
const isAttribution = (text: string): boolean =>
  text.length <= maxHeaderLength &&
  text.endsWith(':') &&
  /\d|@/.test(text) &&
  says.test(text) &&
  (opens.test(text) || /\d{4}/.test(text));

const divider =
  /^[-_* ]{2,60}(?:original message|mensagem original|mensaje original|message d'origine|ursprüngliche nachricht|messaggio originale)[-_* ]{0,60}$/iu;
const from = /^\*?(?:from|de|von|da|van) ?:\*? ?\S/iu;
const sent =
  /^\*?(?:sent|date|enviado|enviada em|enviado el|data|fecha|gesendet|datum|envoyé|inviato|verzonden) ?:/iu;
const sentWithinLines = 4;

const device =
  /^(?:sent from (?:my|outlook|yahoo|mail)|enviado (?:do|desde|a partir do) (?:meu|mi|outlook|yahoo|um|el|o)|get outlook for|obter (?:o )?outlook para|obtener outlook para)\b.{0,100}$/iu;

type Block = { readonly header: number; readonly body: number };

/** Returns where the quoted history begins at this line, and where its lines begin; null when it does not. */
function historyAt(lines: readonly string[], at: number): Block | null {
  const line = (lines[at] ?? '').trim();
  if (line === '' || line.length > maxHeaderLength) return null;
  if (divider.test(line)) return { header: at, body: at + 1 };
  if (from.test(line)) {
    const next = lines.slice(at + 1, at + 1 + sentWithinLines);
    return next.some((each) => each.length <= maxHeaderLength && sent.test(each.trim()))
      ? { header: at, body: at + 1 }
      : null;
  }
  for (let count = 1; count <= maxHeaderLines; count += 1) {
    const joined = lines.slice(at, at + count).map((each) => each.trim());
    if (joined.slice(1).some((each) => each === '' || isQuoted(each))) return null;
    if (isAttribution(joined.join(' '))) return { header: at, body: at + count };
    if (count === 1 && !opens.test(line) && !/[<@\d]/.test(line)) return null;
  }
  return null;
}

/** The line of `_` that Outlook puts before the history belongs to it. */
function withRule(lines: readonly string[], at: number): number {
  let before = at - 1;
  while (before >= 0 && isBlank(lines[before] ?? '')) before -= 1;
  return before >= 0 && /^_{10,100}$/.test((lines[before] ?? '').trim()) ? before : at;
}

type Parts = { readonly own: readonly string[]; readonly history: readonly string[] };

/** Separates the new lines from the history. New lines may also be below the quotes, or between them. */
function splitHistory(lines: readonly string[]): Parts {
  for (let at = 0; at < lines.length; at += 1) {
    const found = historyAt(lines, at);
    if (!found) continue;
    let quoted = found.body;
    while (quoted < lines.length && isBlank(lines[quoted] ?? '')) quoted += 1;
    if (!isQuoted(lines[quoted] ?? '')) {
      const start = withRule(lines, at);
      return { own: lines.slice(0, start), history: lines.slice(start) };
    }
    return splitQuotes(lines, { header: at, body: quoted });
  }
  const first = lines.findIndex(isQuoted);
  return first < 0
    ? { own: lines, history: [] }
    : splitQuotes(lines, { header: first, body: first });
}

/** One block of quotes is the history; with own lines between several, the quotes say what each line is about. */
function splitQuotes(lines: readonly string[], { header, body }: Block): Parts {
  let end = body;
  while (end < lines.length && (isQuoted(lines[end] ?? '') || isBlank(lines[end] ?? ''))) end += 1;
  const after = lines.slice(end);
  if (after.some(isQuoted)) return { own: lines, history: [] };
  return { own: [...lines.slice(0, header), ...after], history: lines.slice(header, end) };
}

function splitSignature(lines: readonly string[]): { own: string[]; signature: string[] } {
  const at = lines.findIndex((line) => line.trimEnd() === '--');
  const start = at < 0 ? lines.length : at;
  let end = start;
  for (let last = lastLine(lines, end); last >= 0; last = lastLine(lines, end)) {
    const line = (lines[last] ?? '').trim();
    if (line.length > maxHeaderLength || !device.test(line)) break;
    end = last;
  }
  return { own: lines.slice(0, end), signature: lines.slice(end) };
}

function lastLine(lines: readonly string[], end: number): number {
  let last = end - 1;
  while (last >= 0 && isBlank(lines[last] ?? '')) last -= 1;
  return last;
}

const textOf = (lines: readonly string[]): string | null => lines.join('\n').trim() || null;

export function readReply(given: string) {
  const lines = given.replaceAll(/\r\n?/g, '\n').split('\n');
  const { own, history } = splitHistory(lines);
  const { own: rest, signature } = splitSignature(own);
  const text = textOf(rest);
  if (text === null) return { text: textOf(lines) ?? '', history: null, signature: null };
  return { text, history: textOf(history), signature: textOf(signature) };
}
