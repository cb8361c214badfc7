/** The state of the inbox in the URL, and the filters of its list. */
import {
  changeParams,
  listFilters,
  readInboxQuery,
} from '../../../../web/src/screens/inbox/inbox-query.ts';

const id = '01a1ff9c-887d-7771-9203-9ae445c7ff77';
const filtersOf = (text: string, hasAgent = true) =>
  listFilters(readInboxQuery(new URLSearchParams(text), hasAgent));
const waiting = ['queue', 'ura', 'ura_webhook', 'ura_output', 'ura_schedule', 'transmission'];

test.each([
  ['', { status: waiting, sort_by: '-date' }],
  ['view=mine', { status: ['my_chats'], sort_by: '-date' }],
  ['view=in_chat', { status: ['in_chat'], sort_by: '-date' }],
  ['view=closed', { status: ['closed'], sort_by: '-closed_at' }],
  ['view=unknown', { status: waiting, sort_by: '-date' }],
  [
    `unread=1&sector=${id}&label=${id}&channel=${id}`,
    {
      status: waiting,
      sort_by: '-date',
      filter_unread_conversations: true,
      filter_sector_id: [id],
      filter_label_template_id: [id],
      filter_worker_id: [id],
    },
  ],
  // What is not an id is not sent.
  ['sector=a,b&label=x&unread=yes', { status: waiting, sort_by: '-date' }],
])('%s selects chats', (text, filters) => {
  expect(filtersOf(text)).toEqual(filters);
});

test.each([
  ['Ana', { filter_name: 'Ana' }],
  ['  Ana Reis ', { filter_name: 'Ana Reis' }],
  ['+55 (11) 98765-4321', { filter_phone: '+55 (11) 98765-4321' }],
  ['987', { filter_phone: '987' }],
  ['98', { filter_name: '98' }],
  ['Room 101', { filter_name: 'Room 101' }],
])('a search for %s covers every status', (search, filters) => {
  const params = new URLSearchParams({ view: 'closed', q: search });
  expect(listFilters(readInboxQuery(params, true))).toEqual({
    status: [...waiting, 'in_chat', 'closed'],
    sort_by: '-date',
    ...filters,
  });
});

test('without an agent nobody has chats of their own', () => {
  expect(filtersOf('view=mine', false)).toEqual({ status: waiting, sort_by: '-date' });
});

test('a search is bounded, and spaces alone are none', () => {
  expect(readInboxQuery(new URLSearchParams({ q: 'a'.repeat(5_000) }), true).search).toHaveLength(
    100,
  );
  expect(filtersOf('q=%20%20')).toEqual({ status: waiting, sort_by: '-date' });
});

test('a change keeps the other parameters, and an empty value removes its own', () => {
  const before = new URLSearchParams({ view: 'mine', q: 'Ana', chat: id });
  expect(changeParams(before, { q: '', unread: '1' }).toString()).toBe(
    `view=mine&chat=${id}&unread=1`,
  );
  expect(changeParams(before, { chat: null }).toString()).toBe('view=mine&q=Ana');
  expect(before.get('chat')).toBe(id);
});
