// Prints the reference of the `inlet` command as Markdown, from the definitions of its commands. Run with the loader of TypeScript.
import { createProgram } from '../../cli/command-line.ts';
import { definitionOf, leavesOf } from '../../cli/terminal/define.ts';
import { exitCodes } from '../../cli/terminal/failure.ts';

/** @param {{ path: string, command: import('commander').Command }} leaf */
function sectionOf({ path, command }) {
  const { summary = '', more = '', example = '' } = definitionOf(command) ?? {};
  const usage = `inlet ${path} ${command.usage()}`.replace('[options]', '').replaceAll(/ +/g, ' ');
  const options = command.options.map(({ flags, description, defaultValue }) => {
    const fallback = typeof defaultValue === 'string' ? ` Default: \`${defaultValue}\`.` : '';
    return `| \`${flags.replaceAll('|', '\\|')}\` | ${description}${fallback} |`;
  });
  const table = options.length > 0 ? ['', '| option | meaning |', '|---|---|', ...options] : [];
  const text = `${summary}.${more ? ` ${more}` : ''}`;
  return [`### ${usage.trim()}`, '', text, ...table, '', '```sh', example, '```'].join('\n');
}

const codes = Object.values(exitCodes).map(([code, text]) => `| ${code} | ${text} |`);
process.stdout.write(`## Commands

Every command takes \`--json\`, \`--context <name>\` and \`--help\`.

${leavesOf(createProgram()).map(sectionOf).join('\n\n')}

## Exit codes

| code | meaning |
|---|---|
${codes.join('\n')}
`);
