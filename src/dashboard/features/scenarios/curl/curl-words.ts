/**
 * Splits a command line into words. Follows the quoting rules of a POSIX shell, of bash's `$'…'`, and of the Windows
 * command prompt as browsers write it. Runs nothing. Shell variables become `{{references}}`.
 */

export type CommandLine =
  | {
      readonly ok: true;
      readonly words: readonly string[];
      /** Names of the shell variables in the command. */
      readonly variables: readonly string[];
      /** The text after the command, such as a pipe. Empty if there is none. */
      readonly leftOut: string;
    }
  | { readonly ok: false; readonly problem: string };

/** The API accepts no larger definition, and a much longer command would block the page. */
const COMMAND_CHARS_MAX = 256 * 1024;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
/**
 * Matches a line break with a backslash, the blanks between words, or a part of a word. A line break without a
 * backslash counts as a blank.
 */
const PIECE =
  /(?<joint>\\[ \t]*\r?\n)|(?<blank>[ \t]+|\r?\n\s*(?=-|['"]?https?:))|\$'(?<ansi>(?:[^'\\]|\\[\s\S])*)'|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[\s\S])*)"|\\(?<escaped>[\s\S])|(?<bare>\$(?:\{\w+\}|\w+)|[^'"])/y;
const QUOTED = /\$'(?:[^'\\]|\\[\s\S])*'|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g;
const END = /(?:\r?\n|\|\|?|&&|&(?=\s|$)|;|\d?>|<)/y;
const END_IN_WORD = /(?:\r?\n|;(?=\s|$))/y;
const COMMENT = /#[^\n]*/y;

function refuse(problem: string): CommandLine {
  return { ok: false, problem };
}

export function readCommandLine(command: string): CommandLine {
  if (command.length > COMMAND_CHARS_MAX)
    return refuse('The command is longer than 256 KB. Shorten its body.');
  const bare = command.replaceAll(QUOTED, '');
  if (/\^(?:\s|$|")/.test(bare) || /^curl(?:\.exe)?\s+\^"/.test(command))
    return readWindowsLine(command.trim());
  if (/`[ \t]*\r?\n/.test(bare))
    return refuse('This is written for PowerShell: copy it as cURL (bash).');
  if (/[“”‘’]/.test(bare))
    return refuse('The command has typographic quotes (“ or ’). Use straight quotes.');
  return readShellLine(command.trim());
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

type Groups = Readonly<Record<string, string | undefined>>;

function readShellLine(text: string): CommandLine {
  const words: string[] = [];
  const variables = new Set<string>();
  let word: string | null = null;
  let at = 0;
  while (at < text.length) {
    const comment: RegExpExecArray | null = word === null ? matchAt(COMMENT, text, at) : null;
    const piece: RegExpExecArray | null = comment ?? matchAt(PIECE, text, at);
    if (piece === null) return refuse('A quote is not closed.');
    const groups: Groups = piece.groups ?? {};
    const isBetween: boolean = comment !== null || groups['blank'] !== undefined;
    if (!isBetween && matchAt(word === null ? END : END_IN_WORD, text, at) !== null) break;
    if (hasSubstitution(groups, text.slice(at, at + 2)))
      return refuse('A command within the command cannot be read: replace it with its output.');
    at += piece[0].length;
    if (groups['joint'] !== undefined) continue;
    if (!isBetween) word = (word ?? '') + readPart(groups, variables);
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  if (word !== null) words.push(word);
  return { ok: true, words, variables: [...variables], leftOut: text.slice(at).trim() };
}

function hasSubstitution({ double, bare }: Groups, next: string): boolean {
  const live = double?.replaceAll(/\\[\s\S]/g, '') ?? (bare === undefined ? '' : next);
  return /`|\$\(/.test(live);
}

function readPart({ ansi, single, escaped, double, bare }: Groups, variables: Set<string>): string {
  if (ansi !== undefined) return readAnsi(ansi);
  return single ?? escaped ?? readDouble(double ?? bare ?? '', variables);
}

function readDouble(text: string, variables: Set<string>): string {
  return text.replaceAll(
    /\\(?:([$`"\\])|\r?\n)|\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
    (_whole, escaped?: string, braced?: string, name = braced) => {
      if (name === undefined) return escaped ?? '';
      variables.add(name);
      return `{{${name}}}`;
    },
  );
}

/** Reads `$'…'`, which browsers write for texts that contain quotes or line breaks. */
function readAnsi(text: string): string {
  return text.replaceAll(
    /\\(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2})|([\s\S]))/g,
    (_whole, unicode?: string, hex = unicode, letter = '') => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      return ESCAPES[letter] ?? (/['"\\?]/.test(letter) ? letter : `\\${letter}`);
    },
  );
}

/**
 * Splits a Windows command line. `^` escapes a character or a line break. In quotes, a backslash escapes quotes and
 * backslashes.
 */
function readWindowsLine(command: string): CommandLine {
  const text = command.replaceAll(/\^(\r?\n(?:\r?\n)?|[\s\S]|$)/g, (_whole, next: string) => {
    if (!next.includes('\n')) return next;
    return /\n\r?\n/.test(next) ? '\n' : ' ';
  });
  const [line = ''] = /^(?:"(?:[^"\\]|\\[\s\S])*"|[^"&|])*/.exec(text) ?? [];
  const leftOut = text.slice(line.length).trim();
  if (leftOut.startsWith('"')) return refuse('A quote is not closed.');
  const words = line.match(/(?:"(?:[^"\\]|\\[\s\S])*"|[^\s"])+/g) ?? [];
  const read = words.map((word) =>
    word.replaceAll(/"((?:[^"\\]|\\[\s\S])*)"/g, (_whole, inner: string) =>
      inner.replaceAll(/\\(["\\])/g, '$1'),
    ),
  );
  return { ok: true, words: read, variables: [], leftOut };
}

/** Quotes the text as a single shell word. */
export function shellQuote(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
