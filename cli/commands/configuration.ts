/** apply, export and schema: the configuration of an installation as files. */
import type { Command } from 'commander';
import { carryOutPlan, openUrlFile, printUrl, titleOf } from '../configuration/apply.ts';
import { describeChange } from '../configuration/difference.ts';
import { exportFiles, writeFiles } from '../configuration/export.ts';
import { readConfiguration, schemaText } from '../configuration/files.ts';
import { makePlan, type Plan } from '../configuration/plan.ts';
import type { Step } from '../configuration/step.ts';
import { connect } from '../connection/connect.ts';
import { define, globalsOf } from '../terminal/define.ts';
import { CommandFailure, exitCodeOf } from '../terminal/failure.ts';
import { confirm, isInteractive } from '../terminal/input.ts';
import { note, print, printable, printJson, styled } from '../terminal/output.ts';

type ApplyOptions = {
  readonly file: string;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly activate?: boolean;
  readonly secrets?: boolean;
  readonly urls?: string;
  readonly yes?: boolean;
};

const styles = {
  create: 'green',
  add: 'green',
  change: 'yellow',
  activate: 'yellow',
  archive: 'red',
  delete: 'red',
} as const;
const signs = {
  create: '+',
  add: '+',
  change: '~',
  activate: '!',
  archive: '-',
  delete: '-',
} as const;

function printPlan({ steps }: Plan): void {
  for (const step of steps) {
    print(styled(styles[step.verb], printable(`${signs[step.verb]} ${titleOf(step)}`)));
    for (const line of [...step.changes.map(describeChange), ...step.notes]) print(`    ${line}`);
  }
}

const presented = ({ steps }: Plan) =>
  steps.map(({ verb, noun, name, changes, notes }) => ({ verb, noun, name, changes, notes }));

/** A secret URL must reach a person or a file. The log of a build is neither. */
function urlReceiver({ steps }: Plan, urls: string | undefined) {
  if (urls !== undefined) return openUrlFile(urls);
  const isNeeded = steps.some(({ action }) => action.kind === 'create-webhook');
  if (!isNeeded || process.stdout.isTTY) return printUrl;
  const text =
    'The secret URL of a new webhook is given once. Name a file for it with --urls <file>.';
  throw new CommandFailure(text, 'usage');
}

async function apply(options: ApplyOptions, command: Command): Promise<void> {
  const { json, ...globals } = globalsOf(command);
  const files = readConfiguration(options.file);
  const inlet = connect(globals);
  const { prune = false, activate = false, secrets = false } = options;
  const plan = await makePlan(inlet, files, { prune, activate, secrets });
  if (json) printJson({ url: inlet.target.url, steps: presented(plan), applied: !options.dryRun });
  else printPlan(plan);
  if (plan.steps.length === 0) return note(`${inlet.target.url} is as the files say.`);
  if (options.dryRun) {
    process.exitCode = exitCodeOf('differs');
    return note(`${plan.steps.length} steps would change ${inlet.target.url}.`);
  }
  const giveUrl = urlReceiver(plan, options.urls);
  await confirm(`Apply ${plan.steps.length} steps to ${inlet.target.url}?`, options.yes ?? false);
  let done = 0;
  const onDone = (step: Step) => {
    done += 1;
    if (isInteractive()) note(`${done}/${plan.steps.length} ${titleOf(step)}`);
  };
  try {
    await carryOutPlan(inlet, plan, { giveUrl, onDone });
  } catch (error) {
    const step = plan.steps[done];
    note(
      `${done} of ${plan.steps.length} steps are done. Failed: ${step ? titleOf(step) : ''}. Apply again to go on.`,
    );
    throw error;
  }
  note(`${done} steps are done.`);
}

async function exportAll(
  { file, force = false }: { file: string; force?: boolean },
  command: Command,
) {
  const { files, archived } = await exportFiles(connect(globalsOf(command)));
  writeFiles(file, files, force);
  note(`Wrote ${files.size} files to ${file}.`);
  if (archived.length > 0) note(`Left out, because they are archived: ${archived.join(', ')}.`);
}

export function addConfigurationCommands(program: Command): void {
  define(program, 'apply', {
    summary: 'Make the installation as the files say, after showing the difference',
    more:
      'A name identifies a channel, webhook or notice target. What a file leaves out of a record is not managed; what it has is the whole: an empty list or object means none. ' +
      'A record that changes on the server after the difference was shown is not overwritten: exit code 7. ' +
      'An archived webhook is not seen: its file creates a new one with a new URL, and the difference says so.',
    example: 'inlet apply -f inlet/ --dry-run\ninlet apply -f inlet/ --activate',
  })
    .requiredOption('-f, --file <path>', 'A file, or a folder with .yaml files.')
    .option('--dry-run', 'Shows the difference only; exit code 2 if there is one.')
    .option('--activate', 'Also activates the mappings of the files.')
    .option(
      '--prune',
      'Also archives webhooks, and deletes channels and notice targets, that no file has; of the lists that the files have.',
    )
    .option('--secrets', 'Sends secrets again, which cannot be compared.')
    .option(
      '--urls <file>',
      'Appends the secret URLs of new webhooks to a file (mode 0600), instead of printing them.',
    )
    .option('-y, --yes', 'Does not ask.')
    .action(apply);
  define(program, 'export', {
    summary:
      'Write the channels, webhooks, settings, mappings and notices of the installation as files',
    more: 'Secrets become references to environment variables. Archived webhooks are left out, and named.',
    example: 'inlet export -f inlet/',
  })
    .requiredOption('-f, --file <folder>', 'The folder.')
    .option('--force', 'Replaces existing files.')
    .action(exportAll);
  define(program, 'schema', {
    summary: 'Print the JSON Schema of configuration files, for editors',
    example: 'inlet schema > inlet/inlet.schema.json',
  }).action(() => print(schemaText().trimEnd()));
}
