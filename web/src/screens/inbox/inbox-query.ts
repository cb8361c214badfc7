/** What the inbox shows, as it is in the URL. */
import type { Request } from '../../api/operation.ts';

export const views = ['waiting', 'mine', 'in_chat', 'closed'] as const;
type View = (typeof views)[number];

export type InboxQuery = {
  readonly view: View;
  /** A name, a number or words of messages. */
  readonly search: string;
  readonly isUnread: boolean;
  readonly sectorId: string | null;
  readonly labelId: string | null;
  readonly channelId: string | null;
  /** The open chat. */
  readonly chatId: string | null;
};

type ListQuery = NonNullable<Request<'listChats'>['query']>;
type Status = ListQuery['status'][number];

/** Open chats that no agent has taken. */
export const waitingStatuses = [
  'queue',
  'ura',
  'ura_webhook',
  'ura_output',
  'ura_schedule',
  'transmission',
] as const satisfies readonly Status[];

const statusesOf: Readonly<Record<View, readonly Status[]>> = {
  waiting: waitingStatuses,
  mine: ['my_chats'],
  in_chat: ['in_chat'],
  closed: ['closed'],
};
const allStatuses: readonly Status[] = [...waitingStatuses, 'in_chat', 'closed'];

export const maxSearchLength = 100;

const idShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns null for a text that is not an id. */
function idIn(params: URLSearchParams, name: string): string | null {
  const text = params.get(name) ?? '';
  return idShape.test(text) ? text : null;
}

/** Without an agent nobody has chats of their own. */
export function readInboxQuery(params: URLSearchParams, hasAgent: boolean): InboxQuery {
  const asked = views.find((one) => one === params.get('view')) ?? 'waiting';
  const view = asked === 'mine' && !hasAgent ? 'waiting' : asked;
  return {
    view,
    search: (params.get('q') ?? '').slice(0, maxSearchLength),
    isUnread: params.get('unread') === '1',
    sectorId: idIn(params, 'sector'),
    labelId: idIn(params, 'label'),
    channelId: idIn(params, 'channel'),
    chatId: idIn(params, 'chat'),
  };
}

/** Returns the parameters with the changes. A null or empty value removes its parameter. */
export function changeParams(
  params: URLSearchParams,
  changes: Readonly<Record<string, string | null>>,
): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** Numbers are written with signs and spaces. Fewer digits than three match too much. */
const isNumber = (text: string): boolean =>
  /^[\d\s()+.-]+$/.test(text) && text.replaceAll(/\D/g, '').length >= 3;

/** The filters of the chat list. A search covers chats of every status. */
export function listFilters(query: InboxQuery): ListQuery {
  const search = query.search.trim();
  const isSearch = search !== '';
  return {
    status: [...(isSearch ? allStatuses : statusesOf[query.view])],
    sort_by: query.view === 'closed' && !isSearch ? '-closed_at' : '-date',
    ...(isSearch && (isNumber(search) ? { filter_phone: search } : { filter_name: search })),
    ...(query.isUnread && { filter_unread_conversations: true }),
    ...(query.sectorId !== null && { filter_sector_id: [query.sectorId] }),
    ...(query.labelId !== null && { filter_label_template_id: [query.labelId] }),
    ...(query.channelId !== null && { filter_worker_id: [query.channelId] }),
  };
}
