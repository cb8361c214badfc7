/**
 * Actions: what a person can do about an event or a delivery that was not processed. Each reason has one
 * action.
 */
import { type Language, renderText } from '../../base/texts/texts.ts';

export const actions = [
  'fix_mapping',
  'fix_sender',
  'fix_webhook',
  'inspect_logs',
  'fix_destination',
  'enable_channel',
  'fix_keys',
  'await_reply',
  'check_destination',
  'accept',
  'erase_person',
  'wait',
] as const;
type Action = (typeof actions)[number];

export const actionText = (action: Action, language: Language): string =>
  renderText(`action.${action}`, language);

/**
 * The action for each reason code: why an event or a delivery is dead, ignored or waiting. The code is the part before any
 * `:target`. docs/errors.md is generated from these and the texts of the console.
 */
export const actionByReason = {
  filter: 'accept',
  removal_requested: 'erase_person',
  blocked: 'accept',
  other_account: 'accept',
  own_mail: 'accept',
  automatic_mail: 'accept',
  delivery_status: 'accept',
  delivery_status_unmatched: 'accept',
  delivery_status_early: 'wait',
  required_missing: 'fix_mapping',
  contact_unidentified: 'fix_mapping',
  person_empty: 'fix_mapping',
  filter_failed: 'fix_mapping',
  removal_failed: 'fix_mapping',
  split_failed: 'fix_mapping',
  split_not_array: 'fix_mapping',
  split_too_late: 'fix_mapping',
  too_many_items: 'fix_sender',
  too_much_work: 'fix_mapping',
  body_unreadable: 'fix_sender',
  item_missing: 'fix_sender',
  item_unstorable: 'fix_sender',
  mapping_unusable: 'fix_mapping',
  channel_missing: 'fix_webhook',
  channel_disabled: 'enable_channel',
  channel_failing: 'wait',
  secret_unreadable: 'fix_keys',
  attempts_spent: 'inspect_logs',
  crashed_worker: 'inspect_logs',
  internal_error: 'wait',
  store_unavailable: 'wait',
  effect_contended: 'wait',
  destination_unavailable: 'wait',
  destination_rejected: 'fix_destination',
  destination_refused: 'fix_destination',
  window_closed: 'await_reply',
  delivery_unknown: 'check_destination',
} as const satisfies Record<string, Action>;
export type Reason = keyof typeof actionByReason;
export const reasons = Object.keys(actionByReason) as Reason[];

/** Returns the action for a reason; the part after the colon is ignored. Unknown reasons get `inspect_logs`. */
export function actionFor(reason: string, language: Language): { code: Action; text: string } {
  const word = reason.split(':', 1)[0] ?? '';
  const code = Object.hasOwn(actionByReason, word)
    ? actionByReason[word as Reason]
    : 'inspect_logs';
  return { code, text: actionText(code, language) };
}
