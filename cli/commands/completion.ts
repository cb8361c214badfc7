/** completion: generated from the commands themselves. */
import { define, type Definition } from '../terminal/define.ts';
import { misuse } from '../terminal/failure.ts';
import { print } from '../terminal/output.ts';

/** The first word of each command, with its second words; in zsh by its emulation of bash. */
function completionFor(shell: string, commands: readonly Definition[]): string {
  const words = new Map<string, string>();
  for (const { usage } of commands) {
    const [first = '', second = ''] = usage.split(' ').filter((word) => /^\w/.test(word));
    words.set(first, `${words.get(first) ?? ''} ${second}`.trim());
  }
  const all = [...words];
  if (shell === 'fish') {
    const nested = (first: string) => `'__fish_seen_subcommand_from ${first}'`;
    return all
      .flatMap(([first, more]) => [
        `complete -c inlet -f -n __fish_use_subcommand -a ${first}`,
        ...(more ? [`complete -c inlet -f -n ${nested(first)} -a '${more}'`] : []),
      ])
      .join('\n');
  }
  const bash = `_inlet() {
  local words="" current="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" = 1 ]; then words="${all.map(([first]) => first).join(' ')}"
  elif [ "$COMP_CWORD" = 2 ]; then case "\${COMP_WORDS[1]}" in
${all.map(([first, more]) => `    ${first}) words="${more}" ;;`).join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _inlet inlet`;
  if (shell === 'bash') return bash;
  if (shell === 'zsh') return `autoload -Uz bashcompinit && bashcompinit\n${bash}`;
  throw misuse('The shell must be bash, zsh or fish.');
}

export const completionCommand = (commands: readonly Definition[]) =>
  define({
    usage: 'completion <shell>',
    summary: 'Print the completion script for bash, zsh or fish',
    example: 'source <(inlet completion bash)',
    run: ({ args: [shell] }) => print(completionFor(shell, commands)),
  });
