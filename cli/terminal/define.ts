/** Defines a command with its example, which its help and the reference show. */
import type { Command } from 'commander';

type Definition = { readonly summary: string; readonly example: string; readonly more?: string };

const examples = new WeakMap<Command, Definition>();

export const definitionOf = (command: Command): Definition | undefined => examples.get(command);

/** `usage` is the name and the arguments, such as `show <name>`. */
export function define(parent: Command, usage: string, definition: Definition): Command {
  const { summary, example, more } = definition;
  const command = parent.command(usage).description(more ? `${summary}. ${more}` : summary);
  command
    .summary(summary)
    .addHelpText('after', `\nExample:\n  $ ${example.replaceAll('\n', '\n  $ ')}`);
  examples.set(command, definition);
  return command;
}

type GlobalOptions = { readonly context?: string; readonly json?: boolean };

export const globalsOf = (command: Command): GlobalOptions => command.optsWithGlobals();
