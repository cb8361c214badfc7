/** The sentences of notices, in each language. They have names of the configuration, numbers and times, and nothing of a payload. */
import { type Language, renderText } from '../../base/texts/texts.ts';
import type { NoticeEntry } from '../../domain/notices/notice.ts';

type Place = { readonly language: Language; readonly zone: string };

/** Returns the time in the zone, with its name. */
function timeText(date: Date, { language, zone }: Place): string {
  const text = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  }).format(date);
  return `${text} (${zone})`;
}

/** Returns what the notice says, without its webhook. */
export function sentenceOf(
  { kind, change, subject, facts }: Pick<NoticeEntry, 'kind' | 'change' | 'subject' | 'facts'>,
  place: Place,
): string {
  const { count = 0, since, until, name = '', targets = [] } = facts;
  const values = {
    subject,
    count: new Intl.NumberFormat(place.language).format(count),
    name,
    since: since ? timeText(since, place) : '?',
    until: until ? timeText(until, place) : '?',
    targets: targets.length === 0 ? String(count) : targets.join(', '),
  };
  const state = change === 'resolved' ? 'resolved' : 'open';
  return renderText({ code: `notice.${kind}.${state}`, values }, place.language);
}
