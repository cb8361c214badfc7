/** channels, webhooks, tokens, event, dead and rejections: what Inlet has. */
import { listAll } from '../../client/pages.ts';
import { findOne, webhookIds, type Inlet } from '../connection/connect.ts';
import { define, record, table, type Result } from '../terminal/define.ts';
import { print, printRecord, printTable, type Column } from '../terminal/output.ts';

type Noun<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly list: (inlet: Inlet) => Promise<Row[]>;
  readonly show: (inlet: Inlet, wanted: string) => Promise<object>;
};

const nounCommands = <Row>(name: string, { columns, list, show }: Noun<Row>) => [
  define({
    usage: `${name} ls`,
    summary: `List all ${name}`,
    example: `inlet ${name} ls --json`,
    run: async ({ inlet }) => table(await list(inlet), columns),
  }),
  define({
    usage: `${name} show <${name.slice(0, -1)}>`,
    summary: `Show one ${name.slice(0, -1)}, by its name or id`,
    example: `inlet ${name} show "Front desk"`,
    run: async ({ inlet, args: [wanted] }) => record(await show(inlet, wanted)),
  }),
];

const namesOf = (rows: readonly { readonly id: string; readonly name: string }[]) =>
  new Map(rows.map(({ id, name }) => [id, name]));

async function listWebhooks(inlet: Inlet) {
  const names = namesOf(await listAll(inlet, 'listChannels'));
  const webhooks = await listAll(inlet, 'listWebhooks');
  return webhooks.map((one) => ({ ...one, channel: names.get(one.channelId) ?? one.channelId }));
}

async function showWebhook(inlet: Inlet, wanted: string) {
  const webhook = await findOne(inlet, 'listWebhooks', wanted);
  const params = { id: webhook.id };
  const settings = await inlet.call('getWebhookSettings', { params });
  const { results: keys } = await inlet.call('listWebhookKeys', { params });
  return { ...webhook, settings, keys };
}

async function showEvent(inlet: Inlet, id: string): Promise<Result> {
  const event = await inlet.call('getEvent', { params: { id } });
  const { timeline, attemptHistory: _attempts, ...rest } = event;
  const printAll = () => {
    printRecord(rest);
    print('');
    printTable(timeline, ['at', 'state', 'reason']);
  };
  return { value: event, print: printAll };
}

async function listDead(inlet: Inlet, webhook: string | undefined): Promise<Result> {
  const query = { per_page: 200, webhookId: await webhookIds(inlet, webhook) };
  const { results } = await inlet.call('listDeadLetters', { query });
  const names = namesOf(await listAll(inlet, 'listWebhooks'));
  return table(results, [
    'count',
    ['WEBHOOK', ({ webhookId }) => names.get(webhookId) ?? webhookId],
    'reason',
    ['LAST', ({ lastFinishedAt }) => lastFinishedAt],
    ['WHAT TO DO', ({ action }) => action.text],
  ]);
}

export const lists = [
  ...nounCommands('channels', {
    columns: ['name', 'kind', 'enabled', 'id'],
    list: (inlet) => listAll(inlet, 'listChannels'),
    show: (inlet, wanted) => findOne(inlet, 'listChannels', wanted),
  }),
  ...nounCommands('webhooks', {
    columns: ['name', 'status', 'activeVersion', 'channel', 'id'],
    list: listWebhooks,
    show: showWebhook,
  }),
  ...nounCommands('tokens', {
    columns: ['name', 'scopes', 'expiresAt', 'revokedAt', 'id'],
    list: (inlet) => listAll(inlet, 'listTokens'),
    show: (inlet, wanted) => findOne(inlet, 'listTokens', wanted),
  }),
];

export const eventLists = [
  define({
    usage: 'event <id>',
    summary: 'Show an event with its payload, effects and history; credentials are masked',
    example: 'inlet event 0198c2f5-0c44-7aa1-b3d7-6e1f2a9b8c70',
    run: ({ inlet, args: [id] }) => showEvent(inlet, id),
  }),
  define({
    usage: 'dead',
    summary: 'List the dead letters by webhook and reason, with what to do',
    example: 'inlet dead --webhook CRM',
    options: [['--webhook <name>', 'Of one webhook.']],
    run: ({ inlet, options }) => listDead(inlet, options.webhook),
  }),
  define({
    usage: 'rejections <webhook>',
    summary: 'List the last requests of a webhook that were not accepted',
    example: 'inlet rejections CRM',
    run: async ({ inlet, args: [webhook] }) => {
      const { id } = await findOne(inlet, 'listWebhooks', webhook);
      const asked = { params: { id }, query: { per_page: 100 } };
      const { results } = await inlet.call('listWebhookRejections', asked);
      const detail = (one: (typeof results)[number]) => one.detail ?? one.message;
      return table(results, ['receivedAt', 'code', 'address', 'bytes', ['DETAIL', detail]]);
    },
  }),
];
