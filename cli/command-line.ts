/**
 * The `inlet` command: administers an installation over its public API alone.
 *
 * Promises: a failure is one sentence on stderr and a documented exit code, never a stack. No secret is an argument.
 */
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addChanges } from './commands/changes.ts';
import { addCompletion } from './commands/completion.ts';
import { addConfigurationCommands } from './commands/configuration.ts';
import { addContextCommands } from './commands/contexts.ts';
import { addDoctorCommands } from './commands/doctor.ts';
import { addDrillCommands } from './commands/drill.ts';
import { addEventLists, addLists } from './commands/lists.ts';
import { addLiveCommands } from './commands/live.ts';
import { addSendCommand } from './commands/send.ts';
import { describeFailure, exitCodeOf, exitCodes } from './terminal/failure.ts';
import { note } from './terminal/output.ts';

const codes = Object.values(exitCodes).map(([code, text]) => `  ${code}  ${text}`);

export function createProgram(): Command {
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
  addContextCommands(program, manifest.version);
  addLists(program);
  addConfigurationCommands(program);
  addSendCommand(program);
  addLiveCommands(program);
  addEventLists(program);
  addChanges(program);
  addDoctorCommands(program);
  addDrillCommands(program);
  addCompletion(program);
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
