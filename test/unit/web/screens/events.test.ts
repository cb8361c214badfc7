/** Logic of the event screens: filters from URLs, mapping traces, curl commands. */
import { execFileSync } from 'node:child_process';
import { curlCommand } from '../../../../web/src/screens/event/curl-command.ts';
import {
  boundedQuery,
  filtersOf,
  withFilters,
  liveQueryOf,
  queryOf,
} from '../../../../web/src/screens/events/event-filters.ts';
import {
  defaultColumns,
  parseColumns,
} from '../../../../web/src/screens/event-table/event-columns.ts';
import {
  traceTargets,
  withoutSplit,
  type Item,
} from '../../../../web/src/screens/event/target-trace.ts';

const addressed = (text: string) => queryOf(new URLSearchParams(text));
const id = '01a1ff9c-887d-7771-9203-9ae445c7ff77';

test('a URL contains the filters with the names of the API', () => {
  expect(addressed(`webhookId=${id}&state=dead,waiting&externalId=a,b&reason=filter`)).toEqual({
    webhookId: [id],
    state: ['waiting', 'dead'],
    externalId: ['a', 'b'],
    reason: ['filter'],
  });
});

test.each([
  ['an invalid id', 'webhookId=drop'],
  ['an unknown state', 'state=lost'],
  ['a version that is not a number', 'mappingVersion=x,0,-1'],
  ['an invalid day', 'from=yesterday&to=2026-99-99'],
  ['unknown parameters', 'token=abc&cursor=x'],
  ['nothing', 'externalId=&state='],
])('%s is ignored in a search', (_what, text) => {
  expect(addressed(text)).toEqual({});
});

test('dates are whole days in the local time zone', () => {
  const { from, to } = addressed('from=2026-03-01&to=2026-03-01') as { from: string; to: string };
  expect(new Date(from).getHours()).toBe(0);
  expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000 - 1);
});

test('a search with an end date, an id prefix or a text has no live updates; one with a start date has', () => {
  expect(liveQueryOf(addressed('to=2026-03-01'))).toBeNull();
  expect(liveQueryOf(addressed('externalIdPrefix=lead'))).toBeNull();
  expect(liveQueryOf(addressed('search=Ana'))).toBeNull();
  expect(liveQueryOf(addressed('from=2026-03-01&state=done'))).toEqual({ state: ['done'] });
});

test.each([
  ['state=done', true],
  ['eventType=lead.won', true],
  ['mappingVersion=2&parents=true', true],
  ['state=dead,held', false],
  ['eventType=lead.won&state=dead', false],
  [`eventType=lead.won&webhookId=${id}`, false],
  ['state=done&from=2026-03-01', false],
  ['state=done&search=Ana', false],
  ['', false],
])('a search by "%s" is limited to the last week: %s', (text, isLimited) => {
  const asked = addressed(text);
  const shown = boundedQuery(asked, new Date(2026, 2, 10, 15));
  const from = new Date(2026, 2, 3).toISOString();
  expect(shown).toEqual(isLimited ? { ...asked, from } : asked);
});

test('changing a filter resets the page, and an empty filter is removed', () => {
  const next = withFilters(new URLSearchParams('cursor=abc&state=dead'), {
    state: '',
    reason: 'x',
  });
  expect(next.toString()).toBe('reason=x');
});

test('equal searches have equal filters, in whatever order and on whatever page', () => {
  const [one, other] = ['state=dead&search=Ana&cursor=abc', 'search=Ana&state=dead&webhookId='];
  expect(filtersOf(new URLSearchParams(one))).toBe(filtersOf(new URLSearchParams(other)));
});

test.each([
  ['nothing', null, defaultColumns],
  ['an invalid value', { contact: true }, defaultColumns],
  ['unknown and missing columns', ['state', 'gone', 'contact'], ['contact', 'event', 'state']],
])('the columns for %s', (_what, stored, expected) => {
  expect(parseColumns(stored)).toEqual(expected);
});

const item = {
  eventId: 'e-1',
  eventType: null,
  eventDate: null,
  contact: { phone: '+5511', name: null, fields: { 'home.city': 'Recife' } },
  message: { text: null },
  context: { labels: ['Lead'], fields: {} },
  problems: [{ target: 'contact.name', code: 'not_text', message: 'is a list' }],
  sources: {
    eventId: { source: 'header X-Id', raw: 'e-1', steps: [] },
    'contact.phone': {
      source: 'lead.phone',
      raw: '11',
      steps: [{ transform: 'phone' }, { transform: 'phone' }],
    },
    'contact.fields.home.city': { source: 'city', raw: 'Recife', steps: [] },
    'context.labels.0': { source: 'const', raw: 'Lead', steps: [] },
  },
} as unknown as Item;
const mapping = {
  split: 'leads',
  eventId: { header: 'X-Id' },
  contact: {
    name: { first: [{ path: 'a' }, { path: 'b' }] },
    phone: { path: 'lead.phone', transforms: ['phone'] },
    fields: { 'home.city': { path: 'city' } },
  },
  message: { text: { join: [{ path: 'x' }, { const: 'y' }] } },
  context: { labels: [{ const: 'Lead' }] },
} as unknown as Parameters<typeof traceTargets>[0];

test('each target has its source, raw value and result', () => {
  const targets = traceTargets(mapping, item);
  expect(targets.map(({ name, from, value }) => [name, from, value])).toEqual([
    ['contact.name', [{ path: 'a' }, ' | ', { path: 'b' }], null],
    ['contact.phone', [{ path: 'lead.phone' }], '+5511'],
    ['contact.fields.home.city', [{ path: 'city' }], 'Recife'],
    ['message.text', [{ path: 'x' }, ' + ', '"y"'], null],
    ['context.labels.0', ['"Lead"'], 'Lead'],
    ['eventId', ['header X-Id'], 'e-1'],
  ]);
  expect(targets[0]?.problem?.code).toBe('not_text');
  expect(targets[1]).toMatchObject({ raw: '11', transforms: ['phone'] });
  expect(withoutSplit(mapping)).not.toHaveProperty('split');
});

test('of several sources, the one that was read is named', () => {
  const sources = { ...item.sources, 'contact.name': { source: 'b', raw: 'Ana', steps: [] } };
  const [name] = traceTargets(mapping, { ...item, sources });
  expect(name?.from).toEqual([{ path: 'b' }]);
});

test('a hostile payload passes a shell unchanged, without the key', () => {
  const payload = { text: `it's "$(id)" \`id\` \\ <img onerror>\n$HOME`, "k'": null };
  const line = curlCommand('https://in.example', {
    payload,
    headers: { 'x-topic': "o'k", authorization: '***', 'x-forwarded-for': '1.2.3.4' },
    query: { a: '1 2' },
  });
  const words = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${line}`], {
    encoding: 'utf8',
  }).split('\0');
  expect(words.slice(0, -1)).toEqual([
    '-sS',
    'https://in.example/v1/webhook/<KEY>?a=1+2',
    '-H',
    'content-type: application/json',
    '-H',
    "x-topic: o'k",
    '--data-binary',
    JSON.stringify(payload),
  ]);
});
