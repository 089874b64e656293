import { Argument, Command } from 'commander';
import { type HelpTable, readHelp } from './help.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** `completion <shell>`: the script by which a shell completes commands, options and their values. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('Print the script by which a shell completes this program.')
    .addArgument(new Argument('<shell>', 'which').choices([...SHELLS]))
    .option('--json', 'the commands and options themselves, whichever shell')
    .addHelpText(
      'after',
      `
The script completes the word "handshake": make it call this program, by an alias or by a file on the path.

Examples:
  alias handshake="npm run -s handshake --"
  eval "$(npm run -s handshake -- completion bash)"
  npm run -s handshake -- completion zsh > ~/.zsh/functions/_handshake
  npm run -s handshake -- completion fish > ~/.config/fish/completions/handshake.fish`,
    )
    .action((shell: Shell, { json }: { json?: boolean }) => {
      const table = readHelp();
      const names = Object.entries(table).map(([path, { commands, options }]) => ({
        path,
        commands,
        options,
      }));
      process.stdout.write(json === true ? `${JSON.stringify(names)}\n` : completionScript(shell, table));
    });
}

/** The script for one shell. */
export function completionScript(shell: Shell, table: HelpTable): string {
  if (shell === 'fish') return fishScript(table);
  const cases = Object.entries(table).map(
    ([path, { commands, options }]) =>
      `    '${path}') words='${[...commands, ...Object.keys(options), '--help'].join(' ')}' ;;`,
  );
  const values = Object.entries(table).flatMap(([path, { options }]) =>
    Object.entries(options).flatMap(([option, of]) =>
      of.length === 0 ? [] : [`    '${path} ${option}'|' ${option}') words='${of.join(' ')}' ;;`],
    ),
  );
  const paths = Object.keys(table)
    .filter((path) => path !== '')
    .map((path) => `'${path}'`)
    .join('|');
  const script = `_handshake() {
  local words='' path='' last='' word next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    next="\${path:+$path }$word"
    case "$next" in ${paths}) path="$next" ;; esac
    last="$word"
  done
  case "$path" in
${cases.join('\n')}
  esac
  case "$path $last" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _handshake handshake
`;
  return shell === 'bash'
    ? script
    : `#compdef handshake\nautoload -U +X bashcompinit && bashcompinit\n${script}`;
}

function fishScript(table: HelpTable): string {
  const lines = Object.entries(table).flatMap(([path, { commands, options }]) => {
    const seen = path === '' ? '__fish_use_subcommand' : seenAll(path.split(' '), commands);
    return [
      ...(commands.length > 0 ? [`complete -c handshake -f -n '${seen}' -a '${commands.join(' ')}'`] : []),
      ...Object.entries(options).map(([option, values]) => {
        const choices = values.length > 0 ? ` -x -a '${values.join(' ')}'` : '';
        return `complete -c handshake -n '${seen}' -l ${option.slice(2)}${choices}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** These words were typed, and none of those that would lead further. */
function seenAll(words: readonly string[], further: readonly string[]): string {
  const typed = words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
  return further.length === 0 ? typed : `${typed}; and not __fish_seen_subcommand_from ${further.join(' ')}`;
}
