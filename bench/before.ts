/**
 * This tree beside another commit, in alternating rounds of one run: what an event costs MongoDB, the worker and the server, and
 * how long it takes. `scripts/bench.mjs` builds the commit. Writes the ratios to bench/results.json only when asked to.
 */
import { createWebhookRounds, manyWebhooks } from './before/many-webhooks.ts';
import { createPeopleRounds } from './before/people.ts';
import { openInstallation, type Installation } from './before/installation.ts';
import { createSmallBehindLargeRounds } from './before/small-behind-large.ts';
import { printTable } from './measure/print-table.ts';
import { storeFigures, type Figures } from './measure/save-figures.ts';
import { median } from './measure/statistics.ts';

const commit = process.env.BENCH_COMMIT ?? '';
const commitDist = process.env.BENCH_COMMIT_DIST;
/** BENCH_ROUNDS sets another number. */
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

type RunRound = () => Promise<Figures>;
type CreateRounds = (installation: Installation) => Promise<RunRound[]>;

/** The first warms the servers and MongoDB up for the next. */
const groups: Readonly<Record<string, CreateRounds>> = {
  small: async (installation) => [await createSmallBehindLargeRounds(installation)],
  people: async (installation) => [await createPeopleRounds(installation)],
  async webhooks(installation) {
    const runRound = await createWebhookRounds(installation);
    return [1_000, manyWebhooks].map((webhooks) => () => runRound(webhooks));
  },
};

type Pair = { readonly ours: Figures; readonly theirs: Figures };

/** Each second round starts with the other installation, so that a drift of the machine affects both. */
async function runPair(ours: RunRound, theirs: RunRound, round: number): Promise<Pair> {
  if (round % 2 === 0) return { ours: await ours(), theirs: await theirs() };
  const first = await theirs();
  return { ours: await ours(), theirs: first };
}

async function runGroup(
  create: CreateRounds,
  both: readonly [Installation, Installation],
): Promise<Pair[]> {
  const [ours, theirs] = [await create(both[0]), await create(both[1])];
  const ran: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, one] of ours.entries()) {
      ran.push(await runPair(one, theirs[index] ?? one, round));
    }
  }
  return ran;
}

/** Without those of metrics that one installation does not have. */
const ratiosOf = ({ ours, theirs }: Pair): Figures =>
  Object.fromEntries(
    Object.entries(ours)
      .map(([name, value]) => [`${name} ÷ before`, value / (theirs[name] ?? Number.NaN)] as const)
      .filter(([, ratio]) => Number.isFinite(ratio)),
  );

const shown = (value: number): string =>
  Number.isFinite(value) ? String(+value.toPrecision(3)) : '–';

function print(group: string, ran: readonly Pair[]): void {
  const names = [...new Set(ran.flatMap(({ ours }) => Object.keys(ours)))];
  const rowOf = (name: string): string[] => {
    const pairs = ran.filter(({ ours }) => name in ours);
    const [ours, theirs] = [
      pairs.map((pair) => pair.ours[name] ?? Number.NaN),
      pairs.map((pair) => pair.theirs[name] ?? Number.NaN),
    ];
    const ratios = ours.map((value, index) => value / (theirs[index] ?? Number.NaN));
    const figures = [median(ours), median(theirs), median(ratios)];
    return [
      name,
      ...[...figures, Math.min(...ratios), Math.max(...ratios)].map((one) => shown(one)),
    ];
  };
  printTable(`${group}: this tree beside ${commit}, median of ${rounds} alternating rounds`, [
    ['', 'this tree', commit, '÷', 'from', 'to'],
    ...names.map(rowOf),
  ]);
}

/** BENCH_ROWS names groups of rows, with commas. Default: all. */
const chosen = process.env.BENCH_ROWS?.split(',');
const isSaved = process.env.BENCH_SAVE === 'true' && chosen === undefined;

export async function benchBefore(): Promise<void> {
  if (commitDist === undefined) return;
  const unknown = chosen?.find((name) => !(name in groups));
  if (unknown !== undefined) throw new Error(`There are no rows '${unknown}'.`);
  const both = [
    await openInstallation('this'),
    await openInstallation('commit', commitDist),
  ] as const;
  const ran: Pair[] = [];
  for (const [name, create] of Object.entries(groups)) {
    if (chosen?.includes(name) === false) continue;
    const pairs = await runGroup(create, both);
    print(name, pairs);
    ran.push(...pairs);
  }
  if (isSaved) storeFigures(ran.map(ratiosOf));
  await Promise.all(both.map((installation) => installation.close()));
}
