/** apply, export and schema: the configuration of an installation as files. */
import { join } from 'node:path';
import { applyPlan, urlReceiver } from '../configuration/apply.ts';
import { describeChange } from '../configuration/difference.ts';
import { exportFiles, writeFiles } from '../configuration/export.ts';
import { filesIn, readConfiguration, schemaText } from '../configuration/files.ts';
import { createPlan } from '../configuration/plan.ts';
import { readServer } from '../configuration/server.ts';
import { titleOf, type PlanOptions, type Step } from '../configuration/step.ts';
import { define, required, type Call } from '../terminal/define.ts';
import { exitCodeOf } from '../terminal/failure.ts';
import { confirm, isInteractive } from '../terminal/input.ts';
import { note, print, printable, printJson, styled } from '../terminal/output.ts';

type Applying = PlanOptions &
  Readonly<Record<'dryRun' | 'yes', boolean | undefined>> & {
    readonly file: string;
    readonly urls: string | undefined;
  };

const shapes = {
  create: ['+', 'green'],
  add: ['+', 'green'],
  change: ['~', 'yellow'],
  activate: ['!', 'yellow'],
  archive: ['-', 'red'],
  delete: ['-', 'red'],
} as const;

function printStep(step: Step): void {
  const [sign, colour] = shapes[step.verb];
  print(styled(colour, printable(`${sign} ${titleOf(step)}`)));
  for (const line of [...step.changes.map(describeChange), ...step.notes]) print(`    ${line}`);
}

const presented = ({ seen: _seen, run: _run, ...step }: Step) => step;

async function apply(call: Call<Applying>): Promise<void> {
  const { options, json } = call;
  const files = readConfiguration(options.file);
  const { inlet } = call;
  const { url } = inlet.target;
  const server = await readServer(inlet);
  const steps = await createPlan(inlet, server, { files, options });
  if (json) printJson({ url, steps: steps.map(presented), applied: !options.dryRun });
  else steps.forEach(printStep);
  if (steps.length === 0) return note(`${url} is as the files say.`);
  if (options.dryRun) {
    process.exitCode = exitCodeOf('differs');
    return note(`${steps.length} steps would change ${url}.`);
  }
  const isNew = steps.some(({ verb, noun }) => verb === 'create' && noun === 'webhook');
  const deliverUrl = urlReceiver(options.urls, isNew);
  await confirm(`Apply ${steps.length} steps to ${url}?`, options.yes);
  let done = 0;
  const onDone = (step: Step) => {
    done += 1;
    if (isInteractive()) note(`${done}/${steps.length} ${titleOf(step)}`);
  };
  try {
    await applyPlan(inlet, { names: server.names, steps }, { deliverUrl, onDone });
  } catch (error) {
    const step = steps[done];
    const what = step ? titleOf(step) : '';
    note(`${done} of ${steps.length} steps are done. Failed: ${what}. Apply again to go on.`);
    throw error;
  }
  note(`${done} steps are done.`);
}

const maxNamed = 5;

type Exporting = Readonly<Record<'force' | 'keys', boolean | undefined>> & {
  readonly file: string;
};

async function exportAll({ inlet, options }: Call<Exporting>): Promise<void> {
  const { file, force = false, keys = false } = options;
  const { files, archived } = await exportFiles(inlet, { keys });
  writeFiles(file, files, force);
  note(`Wrote ${files.size} files to ${file}.`);
  const written = new Set([...files.keys()].map((name) => join(file, name)));
  const others = filesIn(file).filter((path) => !written.has(path));
  if (others.length > 0) {
    const named = others.slice(0, maxNamed).join(', ');
    const more = others.length > maxNamed ? ` and ${others.length - maxNamed} more` : '';
    note(`Apply also reads what was not written now: ${named}${more}.`);
  }
  if (archived.length > 0) note(`Left out, because they are archived: ${archived.join(', ')}.`);
}

export const configurationCommands = [
  define({
    usage: 'apply',
    summary: 'Make the installation as the files say, after showing the difference',
    more:
      'A name identifies a channel, webhook or notice target. What a file leaves out of a record is not managed; what it has is ' +
      'the whole: an empty list or object means none. ' +
      'A record that changes on the server after the difference was shown is not overwritten: exit code 7. ' +
      'An archived webhook is not seen: its file creates a new one with a new URL, and the difference says so.',
    example: 'inlet apply -f inlet/ --dry-run\ninlet apply -f inlet/ --activate',
    options: [
      ['-f, --file <path>', 'A file, or a folder with .yaml files.', required],
      ['--dry-run', 'Shows the difference only; exit code 2 if there is one.'],
      ['--activate', 'Also activates the mappings of the files.'],
      [
        '--prune',
        'Also archives webhooks, and deletes channels and notice targets, that no file has; of the lists that the files have.',
      ],
      ['--secrets', 'Sends secrets again, which cannot be compared.'],
      [
        '--urls <file>',
        'Appends the secret URLs of new webhooks to a file (mode 0600), instead of printing them.',
      ],
      ['-y, --yes', 'Does not ask.'],
    ],
    run: apply,
  }),
  define({
    usage: 'export',
    summary:
      'Write the channels, webhooks, settings, mappings and notices of the installation as files',
    more: 'Secrets become references to environment variables. Archived webhooks are left out, and named.',
    example: 'inlet export -f inlet/',
    options: [
      ['-f, --file <folder>', 'The folder.', required],
      ['--force', 'Replaces existing files.'],
      [
        '--keys',
        'Also writes the hashes of the path keys, so that the URLs work where the files are applied. Needs the scope admin.',
      ],
    ],
    run: exportAll,
  }),
  define({
    usage: 'schema',
    summary: 'Print the JSON Schema of configuration files, for editors',
    example: 'inlet schema > inlet/inlet.schema.json',
    run: () => print(schemaText().trimEnd()),
  }),
];
