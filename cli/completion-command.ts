import type { Command } from './command.ts';
import { UsageError } from './usage-error.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** What completes commands and options in a shell; `commands` are all of the program. */
export function completionCommands(
  commands: () => Readonly<Record<string, Command>>,
): Readonly<Record<string, Command>> {
  return {
    completion: {
      summary:
        'print a script that completes commands and options; for bash: eval "$(dispensary completion bash)"',
      argument: 'shell',
      options: {},
      runAlone: (_config, { argument }) => {
        const shell = shells.find((it) => it === argument);
        if (shell === undefined)
          throw new UsageError(`shell must be one of ${shells.join(', ')}, not ${argument}`);
        const script = scripts[shell](commands());
        return { lines: [script], data: { shell, script } };
      },
    },
  };
}

type Commands = Readonly<Record<string, Command>>;

/** The words that may follow others: `client-key` → `create list revoke`, `status` → its options. */
function following(commands: Commands): readonly (readonly [typed: string, next: readonly string[]])[] {
  const next = new Map<string, Set<string>>();
  const add = (typed: string, word: string) => next.set(typed, (next.get(typed) ?? new Set()).add(word));
  for (const [name, { options }] of Object.entries(commands)) {
    const words = name.split(' ');
    for (const [at, word] of words.entries()) add(words.slice(0, at).join(' '), word);
    for (const option of [...Object.keys(options), 'json', 'help']) add(name, `--${option}`);
  }
  return [...next].map(([typed, words]) => [typed, [...words].sort()]);
}

/** Bash reads what was typed before the options, and offers what may follow. */
function bash(commands: Commands): string {
  const cases = following(commands).map(([typed, next]) => `    '${typed}') words='${next.join(' ')}' ;;`);
  return `_dispensary() {
  local typed='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) break ;; esac
    typed="\${typed:+$typed }$word"
  done
  case "$typed" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _dispensary dispensary`;
}

function zsh(commands: Commands): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`;
}

function fish(commands: Commands): string {
  return Object.entries(commands)
    .flatMap(([name, { summary, options }]) => {
      const words = name.split(' ');
      const typed = words.slice(0, -1);
      const seen = (list: readonly string[]) =>
        list.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
      const where = typed.length === 0 ? '__fish_use_subcommand' : seen(typed);
      const told = summary.replaceAll("'", "\\'");
      return [
        `complete -c dispensary -f -n '${where}' -a ${words.at(-1)} -d '${told}'`,
        ...Object.keys(options).map((option) => `complete -c dispensary -n '${seen(words)}' -l ${option}`),
      ];
    })
    .join('\n');
}

const scripts = { bash, zsh, fish };
