/**
 * The `inlet` command: administers an installation over its public API alone.
 *
 * Promises: a failure is one sentence on stderr and a documented exit code, never a stack. No secret is an argument.
 */
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { changeCommands } from './commands/changes.ts';
import { completionCommand } from './commands/completion.ts';
import { configurationCommands } from './commands/configuration.ts';
import { contextCommands } from './commands/contexts.ts';
import { doctorCommands } from './commands/doctor.ts';
import { drillCommands } from './commands/drill.ts';
import { eventLists, lists } from './commands/lists.ts';
import { liveCommands } from './commands/live.ts';
import { sendCommand } from './commands/send.ts';
import { addCommand, type Definition } from './terminal/define.ts';
import { describeFailure, exitCodeOf, exitCodes } from './terminal/failure.ts';
import { note } from './terminal/output.ts';

const codes = Object.values(exitCodes).map(([code, text]) => `  ${code}  ${text}`);

/** The first words that several commands share. */
const groups = {
  context: 'Choose the installation that commands use',
  channels: 'List and show channels',
  webhooks: 'List and show webhooks',
  tokens: 'List and show tokens',
  keys: 'Change the secret URLs of webhooks',
  backup: 'Check a restored database',
  drill: 'Cause a fault on purpose',
};

const plainCommands: readonly Definition[] = [
  ...contextCommands,
  ...lists,
  ...configurationCommands,
  sendCommand,
  ...liveCommands,
  ...eventLists,
  ...changeCommands,
  ...doctorCommands,
  ...drillCommands,
];
export const commands = [...plainCommands, completionCommand(plainCommands)];

function createProgram(): Command {
  const program = new Command('inlet')
    .description('Administers Inlet from a terminal.')
    .version(manifest.version, '-V, --version', 'Prints the version.')
    .option('--context <name>', 'The context to use, instead of the current one.')
    .option('--json', 'Prints JSON for programs.')
    .helpOption('-h, --help', 'Prints help.')
    .helpCommand(false)
    .addHelpText('after', `\nExit codes:\n${codes.join('\n')}`)
    .showHelpAfterError('See --help.')
    .exitOverride();
  for (const one of commands) addCommand(program, one, groups);
  return program;
}

/** Returns the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? exitCodeOf('ok'));
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOf(error.exitCode === 0 ? 'ok' : 'usage');
    const { exit, message } = describeFailure(error);
    note(message);
    return exitCodeOf(exit);
  }
}
