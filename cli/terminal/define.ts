/** Defines a command: its help, its example, which the reference shows too, and what it does with its result. */
import type { Command } from 'commander';
import { connect, type Inlet } from '../connection/connect.ts';
import { CommandFailure } from './failure.ts';
import { printJson, printRecord, printTable, type Column } from './output.ts';

/** Marks an option that must be given. */
export const required = Symbol('required');
type Flag = readonly [flags: string, text: string, fallback?: string | typeof required];

type Camel<Text> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;
type NameOf<Flags> = Flags extends `${string}--${infer Long}`
  ? Camel<Long extends `no-${infer Off}` ? Off : Long extends `${infer On} ${string}` ? On : Long>
  : never;
type ValueOf<One> = One extends readonly [`${string}>`, string, ...infer Fallback]
  ? string | (Fallback extends [unknown] ? never : undefined)
  : boolean | undefined;
type Options<Flags extends readonly Flag[]> = {
  readonly [One in Flags[number] as NameOf<One[0]> & string]: ValueOf<One>;
};
type Arguments<Usage> = Usage extends `${string}<${string}>${infer Rest}`
  ? readonly [string, ...Arguments<Rest>]
  : Usage extends `${string}[${string}]${string}`
    ? readonly [string | undefined]
    : readonly [];

export type Call<Given = object, Values = readonly []> = {
  readonly args: Values;
  readonly options: Given;
  readonly json: boolean;
  readonly context: string | undefined;
  /** Resolved on first use. Throws without a token. */
  readonly inlet: Inlet;
};
/** Printed as JSON, or for people. `failure`: why the command fails nevertheless. */
export type Result = {
  readonly value: unknown;
  readonly print: () => void;
  readonly failure?: string | undefined;
};
export type Definition<Usage = string, Flags extends readonly Flag[] = readonly Flag[]> = {
  /** The name and the arguments, such as `webhooks show <name>`. */
  readonly usage: Usage;
  readonly summary: string;
  readonly more?: string;
  readonly example: string;
  readonly options?: Flags;
  readonly run: (
    call: Call<Options<Flags>, Arguments<Usage>>,
  ) => Promise<Result | void> | Result | void;
};

export const table = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Result => ({
  value: rows,
  print: () => printTable(rows, columns),
});
export const record = (value: object, failure?: string): Result => ({
  value,
  print: () => printRecord(value),
  failure,
});

export const define = <const Usage extends string, const Flags extends readonly Flag[] = []>(
  definition: Definition<Usage, Flags>,
): Definition => definition as unknown as Definition;

/** Adds a command. `groups` has the first words that several commands share, with what they are for. */
export function addCommand(
  program: Command,
  { usage, summary, more, example, options = [], run }: Definition,
  groups: Readonly<Record<string, string>>,
): void {
  const [first = '', ...rest] = usage.split(' ');
  const text = groups[first];
  const group = program.commands.find((one) => one.name() === first);
  const parent = text ? (group ?? program.command(first).description(text)) : program;
  const command = parent
    .command(text ? rest.join(' ') : usage)
    .description(more ? `${summary}. ${more}` : summary)
    .summary(summary)
    .addHelpText('after', `\nExample:\n  $ ${example.replaceAll('\n', '\n  $ ')}`);
  for (const [flags, meaning, fallback] of options) {
    if (fallback === required) command.requiredOption(flags, meaning);
    else command.option(flags, meaning, fallback as string | undefined);
  }
  command.action(async (...given: unknown[]) => {
    const { json = false, context } =
      command.optsWithGlobals<Partial<Pick<Call, 'json' | 'context'>>>();
    let inlet: Inlet | undefined;
    const call = {
      args: given.slice(0, -2),
      options: command.opts(),
      json,
      context,
      get inlet() {
        return (inlet ??= connect(context));
      },
    };
    const result = await run(call as unknown as Parameters<Definition['run']>[0]);
    if (!result) return;
    if (json) printJson(result.value);
    else result.print();
    if (result.failure) throw new CommandFailure(result.failure);
  });
}
