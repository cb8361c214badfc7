/** Selects what is sent to one target: everything that changed since it was last sent something, in one delivery. */
import { maxEntries, type NoticeChange, type NoticeRecord } from './notice.ts';
import { isQuiet, type TargetRecord } from './target.ts';

type Target = Pick<
  TargetRecord,
  'enabled' | 'quietHours' | 'reminderHours' | 'sentTurn' | 'sentAt' | 'kinds' | 'webhookId'
>;

export type GroupedNotice = { readonly notice: NoticeRecord; readonly change: NoticeChange };

const hourMs = 3_600_000;

/** Whether notices may be sent to the target now. In its quiet hours they wait, and are then sent as one. */
export const mayReceive = ({ enabled, quietHours }: Target, at: Date): boolean =>
  enabled && !isQuiet(quietHours, at);

/** Whether the notices that are open are sent again. */
export function isReminderDue({ reminderHours, sentAt }: Target, at: Date): boolean {
  return reminderHours !== null && sentAt !== null && +at - +sentAt >= reminderHours * hourMs;
}

/** Returns the change of a notice since the target was last sent something. Null: it has none to send. */
export function changeFor(
  { sentTurn }: Pick<Target, 'sentTurn'>,
  { state, openedTurn, changedTurn }: NoticeRecord,
): NoticeChange | null {
  if (sentTurn === null) return state === 'open' ? 'opened' : null;
  if (changedTurn <= sentTurn) return null;
  if (state === 'resolved') return 'resolved';
  return openedTurn > sentTurn ? 'opened' : 'changed';
}

const order: Readonly<Record<NoticeChange, number>> = {
  opened: 0,
  changed: 1,
  open: 2,
  resolved: 3,
};

/** Returns the notices that are listed, new ones first, and how many more there are. */
export function listNotices(notices: readonly GroupedNotice[], total: number) {
  const listed = notices
    .toSorted(
      (a, b) => order[a.change] - order[b.change] || +a.notice.openedAt - +b.notice.openedAt,
    )
    .slice(0, maxEntries);
  return { listed, more: Math.max(0, total - listed.length) };
}
