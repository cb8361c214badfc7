/** completion and reference: both are generated from the commands themselves. */
import type { Command } from 'commander';
import { define, definitionOf } from '../terminal/define.ts';
import { exitCodes, CommandFailure } from '../terminal/failure.ts';
import { print } from '../terminal/output.ts';

type Leaf = { readonly path: string; readonly command: Command };

const leavesOf = (command: Command, path = ''): Leaf[] =>
  command.commands.flatMap((one) => {
    const own = `${path}${one.name()}`;
    return one.commands.length > 0 ? leavesOf(one, `${own} `) : [{ path: own, command: one }];
  });

const wordsAfter = (leaves: readonly Leaf[], first: string): string =>
  leaves
    .filter(({ path }) => path.startsWith(`${first} `))
    .map(({ path }) => path.slice(first.length + 1))
    .join(' ');

/** The words of each command; in zsh by its emulation of bash. */
function completionFor(shell: string, program: Command): string {
  const leaves = leavesOf(program);
  const firsts = [...new Set(leaves.map(({ path }) => path.split(' ', 1)[0] ?? ''))];
  if (shell === 'fish') {
    const lines = firsts.map((one) => {
      const more = wordsAfter(leaves, one);
      const nested = `complete -c inlet -f -n '__fish_seen_subcommand_from ${one}' -a '${more}'`;
      return `complete -c inlet -f -n __fish_use_subcommand -a ${one}${more ? `\n${nested}` : ''}`;
    });
    return lines.join('\n');
  }
  const cases = firsts.map((one) => `    ${one}) words="${wordsAfter(leaves, one)}" ;;`);
  const bash = [
    '_inlet() {',
    '  local words="" current="${COMP_WORDS[COMP_CWORD]}"',
    `  if [ "$COMP_CWORD" = 1 ]; then words="${firsts.join(' ')}"`,
    '  elif [ "$COMP_CWORD" = 2 ]; then case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _inlet inlet',
  ].join('\n');
  if (shell === 'bash') return bash;
  if (shell === 'zsh') return `autoload -Uz bashcompinit && bashcompinit\n${bash}`;
  throw new CommandFailure('The shell must be bash, zsh or fish.', 'usage');
}

function sectionOf({ path, command }: Leaf): string {
  const { summary = '', more = '', example = '' } = definitionOf(command) ?? {};
  const usage = `inlet ${path} ${command.usage()}`.replace('[options]', '').replaceAll(/ +/g, ' ');
  const options = command.options.map(({ flags, description, defaultValue }) => {
    const fallback = typeof defaultValue === 'string' ? ` Default: \`${defaultValue}\`.` : '';
    return `| \`${flags.replaceAll('|', '\\|')}\` | ${description}${fallback} |`;
  });
  const table = options.length > 0 ? ['', '| option | meaning |', '|---|---|', ...options] : [];
  const text = `${summary}.${more ? ` ${more}` : ''}`;
  const shown = ['', '```sh', example, '```'];
  return [`### ${usage.trim()}`, '', text, ...table, ...shown].join('\n');
}

function referenceOf(program: Command): string {
  const codes = Object.values(exitCodes).map(([code, text]) => `| ${code} | ${text} |`);
  return [
    '## Commands',
    '',
    'Every command takes `--json`, `--context <name>` and `--help`.',
    '',
    leavesOf(program).map(sectionOf).join('\n\n'),
    '',
    '## Exit codes',
    '',
    '| code | meaning |',
    '|---|---|',
    ...codes,
  ].join('\n');
}

export function addReferenceCommands(program: Command): void {
  define(program, 'completion <shell>', {
    summary: 'Print the completion script for bash, zsh or fish',
    example: 'source <(inlet completion bash)',
  }).action((shell: string) => print(completionFor(shell, program)));
  define(program, 'reference', {
    summary: 'Print this reference as Markdown',
    example: 'inlet reference > inlet.md',
  }).action(() => print(referenceOf(program)));
}
