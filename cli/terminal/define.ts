/** Defines a command: its help, its example, which the reference shows too, and what it does with its result. */
import { Option, type Command } from 'commander';
import { connect, type Inlet } from '../connection/connect.ts';
import { CommandFailure } from './failure.ts';
import { printJson, printRecord, printTable, type Column } from './output.ts';

type Definition = {
  readonly summary: string;
  readonly more?: string;
  readonly example: string;
  readonly options?: readonly (
    | Option
    | readonly [flags: string, text: string, fallback?: string]
  )[];
};
export type Call<Options> = {
  /** The arguments by position; those left out are undefined. */
  readonly args: readonly (string | undefined)[];
  readonly options: Options;
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

export const table = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Result => ({
  value: rows,
  print: () => printTable(rows, columns),
});
export const record = (value: object, failure?: string): Result => ({
  value,
  print: () => printRecord(value),
  failure,
});

const definitions = new WeakMap<Command, Definition>();

export const definitionOf = (command: Command): Definition | undefined => definitions.get(command);

/** `usage` is the name and the arguments, such as `show <name>`. */
export function define<Options = object>(
  parent: Command,
  [usage, definition]: readonly [usage: string, definition: Definition],
  run: (call: Call<Options>) => Promise<Result | void> | Result | void,
): void {
  const { summary, example, more, options = [] } = definition;
  const command = parent.command(usage).description(more ? `${summary}. ${more}` : summary);
  command
    .summary(summary)
    .addHelpText('after', `\nExample:\n  $ ${example.replaceAll('\n', '\n  $ ')}`);
  for (const option of options) {
    if (option instanceof Option) command.addOption(option);
    else command.option(...(option as [string, string, string?]));
  }
  definitions.set(command, definition);
  command.action(async (...given: unknown[]) => {
    const { json = false, context } = command.optsWithGlobals<{
      json?: boolean;
      context?: string;
    }>();
    let inlet: Inlet | undefined;
    const result = await run({
      args: given.slice(0, -2) as (string | undefined)[],
      options: command.opts() as Options,
      json,
      context,
      get inlet() {
        return (inlet ??= connect(context));
      },
    });
    if (!result) return;
    if (json) printJson(result.value);
    else result.print();
    if (result.failure) throw new CommandFailure(result.failure);
  });
}

type Leaf = { readonly path: string; readonly command: Command };

/** The commands that do something, with their whole names. */
export const leavesOf = (command: Command, path = ''): Leaf[] =>
  command.commands.flatMap((one) => {
    const own = `${path}${one.name()}`;
    return one.commands.length > 0 ? leavesOf(one, `${own} `) : [{ path: own, command: one }];
  });

export const required = (flags: string, text: string): Option =>
  new Option(flags, text).makeOptionMandatory();
