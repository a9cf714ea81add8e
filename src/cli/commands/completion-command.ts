/** `completion`: prints scripts that let shells complete the commands and options of this program. */
import { Argument, type Command } from 'commander';
import { type Cli, runInSession } from '../session';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

interface Words {
  /** The names of the command and its parents, like `monitors list`. Empty for the program `keepwatch` itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly { readonly flag: string; readonly description: string }[];
}

export function addCompletionCommand(program: Command, cli: Cli): void {
  program
    .command('completion')
    .description('Print a completion script, like: source <(keepwatch completion bash)')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .action((shell: (typeof SHELLS)[number], _options: object, command: Command) =>
      runInSession(cli, command, async ({ stdout }) => {
        const words = listWords(program, '');
        stdout.write(`${shell === 'fish' ? fishScript(words) : bashScript(words, shell)}\n`);
        return undefined;
      }),
    );
}

function listWords(command: Command, path: string): readonly Words[] {
  const options = command.options.flatMap(({ long, description }) =>
    long ? [{ flag: long, description }] : [],
  );
  const commands = command.commands.map((inner) => ({
    name: inner.name(),
    description: inner.description(),
  }));
  const inner = command.commands.flatMap((each) =>
    listWords(each, path === '' ? each.name() : `${path} ${each.name()}`),
  );
  return [{ path, commands, options }, ...inner];
}

/** Builds a script for bash or zsh. zsh can run bash scripts after bashcompinit. */
function bashScript(words: readonly Words[], shell: 'bash' | 'zsh'): string {
  const [root] = words;
  const globals = root?.options.map(({ flag }) => flag) ?? [];
  const cases = words.map(({ path, commands, options }) => {
    const own = [
      ...commands.map(({ name }) => name),
      ...options.map(({ flag }) => flag),
      ...globals,
    ];
    return `    '${path}') words='${[...new Set(own)].join(' ')}' ;;`;
  });
  return [
    ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    '_keepwatch() {',
    '  local path="" word words="" at',
    '  for ((at = 1; at < COMP_CWORD; at++)); do',
    '    word="${COMP_WORDS[at]}"',
    '    case "$word" in -*) ;; *) path="${path:+$path }$word" ;; esac',
    '  done',
    '  case "$path" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _keepwatch keepwatch',
  ].join('\n');
}

function fishScript(words: readonly Words[]): string {
  const lines = words.flatMap(({ path, commands, options }) => {
    const names = path.split(' ').filter((name) => name !== '');
    const seen = names.map((name) => `__fish_seen_subcommand_from ${name}`);
    const here = names.length === 0 ? ['__fish_use_subcommand'] : seen;
    const commandLines = commands.map(
      ({ name, description }) =>
        `complete -c keepwatch -f -n '${here.join('; and ')}' -a ${name} -d '${quoted(description)}'`,
    );
    const condition = seen.length === 0 ? '' : ` -n '${seen.join('; and ')}'`;
    const optionLines = options.map(
      ({ flag, description }) =>
        `complete -c keepwatch${condition} -l ${flag.replace(/^--/, '')} -d '${quoted(description)}'`,
    );
    return [...commandLines, ...optionLines];
  });
  return lines.join('\n');
}

function quoted(text: string): string {
  return text.replaceAll("'", "\\'");
}
