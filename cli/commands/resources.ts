/** channels, webhooks and tokens: ls and show. */
import type { Command } from 'commander';
import { connect, findOne, listAll, type Inlet } from '../connection/connect.ts';
import { define, globalsOf } from '../terminal/define.ts';
import { printJson, printRecord, printTable, type Column } from '../terminal/output.ts';
import type { Answer } from '../../client/client.ts';

type Channel = Answer<'getChannel'>;
type Webhook = Answer<'getWebhook'>;
type Token = Answer<'getToken'>;

const channelColumns: readonly Column<Channel>[] = [
  ['NAME', ({ name }) => name],
  ['KIND', ({ kind }) => kind],
  ['ENABLED', ({ enabled }) => (enabled ? 'yes' : 'no')],
  ['ID', ({ id }) => id],
];
const webhookColumns: readonly Column<Webhook & { readonly channel: string }>[] = [
  ['NAME', ({ name }) => name],
  ['STATUS', ({ status }) => status],
  ['VERSION', ({ activeVersion }) => activeVersion],
  ['CHANNEL', ({ channel }) => channel],
  ['ID', ({ id }) => id],
];
const tokenColumns: readonly Column<Token>[] = [
  ['NAME', ({ name }) => name],
  ['SCOPES', ({ scopes }) => scopes.join(', ')],
  ['EXPIRES', ({ expiresAt }) => expiresAt],
  ['REVOKED', ({ revokedAt }) => revokedAt],
  ['ID', ({ id }) => id],
];

async function listWebhooks(inlet: Inlet) {
  const [webhooks, channels] = [
    await listAll(inlet, 'listWebhooks'),
    await listAll(inlet, 'listChannels'),
  ];
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  return webhooks.map((one) => ({ ...one, channel: names.get(one.channelId) ?? one.channelId }));
}

async function showWebhook(inlet: Inlet, wanted: string) {
  const webhook = await findOne(inlet, 'listWebhooks', wanted);
  const params = { id: webhook.id };
  const settings = await inlet.call('getWebhookSettings', { params });
  const { results: keys } = await inlet.call('listWebhookKeys', { params });
  return { ...webhook, settings, keys };
}

type Noun<Row> = {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly list: (inlet: Inlet) => Promise<Row[]>;
  readonly show: (inlet: Inlet, wanted: string) => Promise<object>;
};

function addNoun<Row>(program: Command, { name, columns, list, show }: Noun<Row>): void {
  const one = name.slice(0, -1);
  const group = program.command(name).description(`List and show ${name}`);
  define(group, 'ls', { summary: `List all ${name}`, example: `inlet ${name} ls --json` }).action(
    async (_options, command: Command) => {
      const { json, ...options } = globalsOf(command);
      const rows = await list(connect(options));
      if (json) printJson(rows);
      else printTable(rows, columns);
    },
  );
  define(group, `show <${one}>`, {
    summary: `Show one ${one}, by its name or id`,
    example: `inlet ${name} show "Front desk"`,
  }).action(async (wanted: string, _options, command: Command) => {
    const { json, ...options } = globalsOf(command);
    const found = await show(connect(options), wanted);
    if (json) printJson(found);
    else printRecord(found);
  });
}

export function addResourceCommands(program: Command): void {
  addNoun(program, {
    name: 'channels',
    columns: channelColumns,
    list: (inlet) => listAll(inlet, 'listChannels'),
    show: (inlet, wanted) => findOne(inlet, 'listChannels', wanted),
  });
  addNoun(program, {
    name: 'webhooks',
    columns: webhookColumns,
    list: listWebhooks,
    show: showWebhook,
  });
  addNoun(program, {
    name: 'tokens',
    columns: tokenColumns,
    list: (inlet) => listAll(inlet, 'listTokens'),
    show: (inlet, wanted) => findOne(inlet, 'listTokens', wanted),
  });
}
