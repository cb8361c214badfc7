/** completion: generated from the commands themselves. */
import type { Command } from 'commander';
import { define, leavesOf } from '../terminal/define.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { print } from '../terminal/output.ts';

/** The words of each command; in zsh by its emulation of bash. */
function completionFor(shell: string, program: Command): string {
  const paths = leavesOf(program).map(({ path }) => path.split(' '));
  const firsts = [...new Set(paths.map(([first = '']) => first))];
  const wordsAfter = (first: string): string =>
    paths.flatMap(([one, second = []]) => (one === first ? second : [])).join(' ');
  if (shell === 'fish') {
    const lines = firsts.map((one) => {
      const more = wordsAfter(one);
      const nested = `complete -c inlet -f -n '__fish_seen_subcommand_from ${one}' -a '${more}'`;
      return `complete -c inlet -f -n __fish_use_subcommand -a ${one}${more ? `\n${nested}` : ''}`;
    });
    return lines.join('\n');
  }
  const cases = firsts.map((one) => `    ${one}) words="${wordsAfter(one)}" ;;`);
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

export function addCompletion(program: Command): void {
  const completion = {
    summary: 'Print the completion script for bash, zsh or fish',
    example: 'source <(inlet completion bash)',
  };
  define(program, ['completion <shell>', completion], ({ args: [shell = ''] }) =>
    print(completionFor(shell, program)),
  );
}
