/** Texts of reasons, problems and targets. A code that the console does not know is shown as it is. */
import { useIntl, type IntlShape } from 'react-intl';

type Speaker = Pick<IntlShape, 'formatMessage' | 'messages'>;

const knows = ({ messages }: Speaker, id: string): boolean => Object.hasOwn(messages, id);

/** `contact.fields.city` uses the message of `contact.fields` with a name; labels count from 1. */
export function targetText(intl: Speaker, target: string): string {
  if (knows(intl, `target.${target}`)) return intl.formatMessage({ id: `target.${target}` });
  const [group = '', part = '', ...rest] = target.split('.');
  const id = `target.${group}.${part}`;
  const given = rest.join('.');
  const name = part === 'labels' && /^\d+$/.test(given) ? String(Number(given) + 1) : given;
  return knows(intl, id) ? intl.formatMessage({ id }, { name }) : target;
}

const withTarget = new Set(['required_missing', 'too_much_work']);

/** The reason codes of ignored, dead and waiting events. */
export const eventReasons = [
  'required_missing',
  'contact_unidentified',
  'person_empty',
  'filter',
  'filter_failed',
  'removal_requested',
  'removal_failed',
  'split_failed',
  'split_not_array',
  'split_too_late',
  'too_many_items',
  'too_much_work',
  'body_unreadable',
  'item_missing',
  'item_unstorable',
  'mapping_unusable',
  'channel_missing',
  'attempts_spent',
  'crashed_worker',
  'store_unavailable',
  'effect_contended',
  'internal_error',
  'blocked',
  'other_account',
  'own_mail',
  'automatic_mail',
  'delivery_status',
  'delivery_status_unmatched',
  'delivery_status_early',
] as const;

const mayLackPlace = (code: string): boolean => withTarget.has(code) || code === 'attempts_spent';

/** The code before the colon. */
export const codeOf = (reason: string): string => reason.split(':', 1)[0] ?? '';

export function reasonText(intl: Speaker, reason: string): string {
  const code = reason.startsWith('resent,') ? 'resent' : codeOf(reason);
  const more = reason.slice(code.length + 1);
  const id = `reason.${code}`;
  if (!knows(intl, id)) return reason;
  const where = more && (withTarget.has(code) ? targetText(intl, more) : reasonText(intl, more));
  return intl.formatMessage({ id }, { where: where || (mayLackPlace(code) ? 'none' : '–') });
}

/** The explanation and the fix; undefined for unknown reasons. */
export function reasonAdvice(intl: Speaker, reason: string): string | undefined {
  const id = `reason.why.${codeOf(reason)}`;
  return knows(intl, id) ? intl.formatMessage({ id }) : undefined;
}

export function problemText(
  intl: Speaker,
  { code, message }: { readonly code: string; readonly message: string },
): string {
  return knows(intl, `problem.${code}`) ? intl.formatMessage({ id: `problem.${code}` }) : message;
}

export function Reason({ reason }: { readonly reason: string }) {
  const intl = useIntl();
  return <span title={reason}>{reasonText(intl, reason)}</span>;
}
