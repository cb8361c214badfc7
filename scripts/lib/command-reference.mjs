// Prints the reference of the `inlet` command as Markdown, from the definitions of its commands. Run with the loader of TypeScript.
import { commands } from '../../cli/command-line.ts';
import { exitCodes } from '../../cli/terminal/failure.ts';

/** @param {import('../../cli/terminal/define.ts').Definition} definition */
function sectionOf({ usage, summary, more, example, options = [] }) {
  const rows = options.map(([flags, meaning, fallback]) => {
    const normal = typeof fallback === 'string' ? ` Default: \`${fallback}\`.` : '';
    return `| \`${flags.replaceAll('|', '\\|')}\` | ${meaning}${normal} |`;
  });
  const table = rows.length > 0 ? ['', '| option | meaning |', '|---|---|', ...rows] : [];
  const text = `${summary}.${more ? ` ${more}` : ''}`;
  return [`### inlet ${usage}`, '', text, ...table, '', '```sh', example, '```'].join('\n');
}

const codes = Object.values(exitCodes).map(([code, text]) => `| ${code} | ${text} |`);
process.stdout.write(`## Commands

Every command takes \`--json\`, \`--context <name>\` and \`--help\`.

${commands.map(sectionOf).join('\n\n')}

## Exit codes

| code | meaning |
|---|---|
${codes.join('\n')}
`);
