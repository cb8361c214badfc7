/**
 * The `inlet` command: administers an installation over its public API alone.
 *
 * Promises: a failure is one sentence on stderr and a documented exit code, never a stack. No secret is an argument.
 */
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addConfigurationCommands } from './commands/configuration.ts';
import { addContextCommands } from './commands/contexts.ts';
import { addDoctorCommands } from './commands/doctor.ts';
import { addDrillCommands } from './commands/drill.ts';
import { addEventCommands } from './commands/events.ts';
import { addLiveCommands } from './commands/live.ts';
import { addReferenceCommands } from './commands/reference.ts';
import { addResourceCommands } from './commands/resources.ts';
import { addSendCommand } from './commands/send.ts';
import { describeFailure, exitCodeOf } from './terminal/failure.ts';
import { note } from './terminal/output.ts';

function createProgram(): Command {
  const program = new Command('inlet')
    .description('Administers Inlet from a terminal.')
    .version(manifest.version, '-V, --version', 'Prints the version.')
    .option('--context <name>', 'The context to use, instead of the current one.')
    .option('--json', 'Prints JSON for programs.')
    .helpOption('-h, --help', 'Prints help.')
    .helpCommand(false)
    .showHelpAfterError('See --help.')
    .exitOverride();
  addContextCommands(program, manifest.version);
  addResourceCommands(program);
  addConfigurationCommands(program);
  addSendCommand(program);
  addLiveCommands(program);
  addEventCommands(program);
  addDoctorCommands(program);
  addDrillCommands(program);
  addReferenceCommands(program);
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
