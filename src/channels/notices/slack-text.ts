/** A notice as the `text` of an incoming webhook of Slack, which others accept too. */
import type { Language } from '../../base/errors.ts';
import { linesOf, type OutgoingNotice } from './compose-notice.ts';

/** https://api.slack.com/reference/surfaces/formatting#escaping */
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const slackTextOf = (notice: OutgoingNotice, language: Language): string =>
  linesOf(notice, language)
    .map(({ text, url }) => (url === null ? escape(text) : `${escape(text)} <${url}>`))
    .join('\n');
