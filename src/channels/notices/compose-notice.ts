/**
 * Composes what is sent to a target: a title, one line for each notice in the language of the target, and links into the
 * console.
 */
import { type Language, renderText, textWith } from '../../base/texts/texts.ts';
import type { NoticeEntry, NoticeKind } from '../../domain/notices/notice.ts';
import type { QuietHours } from '../../domain/notices/target.ts';
import { sentenceOf } from './sentences.ts';

type OutgoingEntry = {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly change: NoticeEntry['change'];
  readonly webhook: { readonly id: string; readonly name: string } | null;
  /** A reason, or the id of a key or channel; null where the kind says all. */
  readonly subject: string | null;
  readonly facts: NoticeEntry['facts'];
  readonly openedAt: string;
  readonly resolvedAt: string | null;
  readonly text: string;
  readonly url: string | null;
};

/** The JSON that a webhook target is sent. */
export type OutgoingNotice = {
  readonly type: 'notice';
  /** The same in every attempt. */
  readonly id: string;
  readonly test: boolean;
  /** Nothing changed since the last delivery, and the notices are still open. */
  readonly reminder: boolean;
  readonly date: string;
  readonly title: string;
  readonly notices: readonly OutgoingEntry[];
  /** Further notices, which are not listed. */
  readonly more: number;
  /** The notices in the console; null without INLET_PUBLIC_URL. */
  readonly url: string | null;
};

type Content = {
  readonly id: string;
  readonly date: Date;
  readonly entries: readonly NoticeEntry[];
  readonly more: number;
  readonly isReminder: boolean;
  readonly isTest: boolean;
};

type Audience = {
  readonly language: Language;
  readonly quietHours: QuietHours | null;
  /** `INLET_PUBLIC_URL`, or empty. */
  readonly publicUrl: string;
};

const screenOf: Readonly<Record<NoticeKind, (entry: NoticeEntry) => string>> = {
  first_dead: ({ webhookId }) => `/dead-letters?webhookId=${webhookId}`,
  dead_rising: ({ webhookId }) => `/dead-letters?webhookId=${webhookId}`,
  rejections_rising: ({ webhookId }) => `/webhooks/${webhookId}/rejections`,
  sender_silent: ({ webhookId }) => `/webhooks/${webhookId}`,
  mapping_drift: ({ webhookId }) => `/webhooks/${webhookId}/drift`,
  destination_failing: ({ subject }) => `/channels/${subject}`,
  key_ending: ({ webhookId }) => `/webhooks/${webhookId}/keys`,
  backlog_late: () => '/events',
};

export function composeNotice(content: Content, audience: Audience): OutgoingNotice {
  const { id, date, entries, more, isReminder, isTest } = content;
  const { language, publicUrl } = audience;
  const urlOf = (path: string) => (publicUrl === '' ? null : `${publicUrl}${path}`);
  const notices = entries.map((entry) =>
    entryOf(entry, audience, urlOf(screenOf[entry.kind](entry))),
  );
  const total = notices.length + more;
  const single = isTest ? renderText('notice.test', language) : (notices[0]?.text ?? '');
  const title =
    total > 1 ? renderText(textWith('notice.title', { count: total }), language) : single;
  return {
    type: 'notice',
    id,
    test: isTest,
    reminder: isReminder,
    date: date.toISOString(),
    title,
    notices,
    more,
    url: urlOf('/notices'),
  };
}

function entryOf(entry: NoticeEntry, audience: Audience, url: string | null): OutgoingEntry {
  const { noticeId, kind, change, webhookId, webhookName, subject, facts } = entry;
  const { language, quietHours } = audience;
  const place = webhookName ?? webhookId ?? renderText('notice.installation', language);
  const sentence = sentenceOf(entry, { language, zone: quietHours?.zone ?? 'UTC' });
  return {
    id: noticeId,
    kind,
    change,
    webhook: webhookId === null ? null : { id: webhookId, name: webhookName ?? '' },
    subject: subject === '' ? null : subject,
    facts,
    openedAt: entry.openedAt.toISOString(),
    resolvedAt: entry.resolvedAt?.toISOString() ?? null,
    text: `${renderText(`notice.change.${change}`, language)}: ${place}: ${sentence}.`,
    url,
  };
}

/** Returns the lines of a text: one for each notice, with its link. */
export function linesOf({ title, notices, more, url }: OutgoingNotice, language: Language) {
  if (notices.length === 0) return [{ text: title, url }];
  return [
    ...notices.map(({ text, url: link }) => ({ text, url: link })),
    ...(more > 0
      ? [{ text: renderText(textWith('notice.more', { count: more }), language), url }]
      : []),
  ];
}

/** https://api.slack.com/reference/surfaces/formatting#escaping */
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A notice as the `text` of an incoming webhook of Slack, which others accept too. */
export const slackTextOf = (notice: OutgoingNotice, language: Language): string =>
  linesOf(notice, language)
    .map(({ text, url }) => (url === null ? escape(text) : `${escape(text)} <${url}>`))
    .join('\n');
