/**
 * Splits a command line into words by the quoting rules of a POSIX shell and of bash's `$'…'`. Runs nothing. Shell
 * variables become `{{references}}`; everything after the command is left out.
 */

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

export type CommandLine =
  | {
      readonly ok: true;
      readonly words: readonly string[];
      /** Names of the shell variables in the command. */
      readonly variables: readonly string[];
      /** The text after the command, such as a pipe; empty if there is none. */
      readonly leftOut: string;
    }
  | { readonly ok: false; readonly problem: string };

interface Piece {
  readonly text: string;
  readonly length: number;
}

/** A backslash at the end of a line. Text copied from web pages may have spaces after it. */
const CONTINUED = /^\\[ \t]*\r?\n/;
/** A line break before an option or a URL, if the backslash before the line break was lost. */
const LOST_CONTINUATION = /^\r?\n\s*(?=-|['"]?https?:)/;
const END = /^(?:\r?\n|\|\|?|&&|&(?=\s|$)|;|\d?>|<)/;
const END_IN_WORD = /^(?:\r?\n|;(?=\s|$))/;
const COMMENT = /^#[^\n]*/;
const VARIABLE = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/;
const SUBSTITUTION = /^(?:`|\$\()/;

export function readCommandLine(command: string): CommandLine {
  const foreign = findForeignShell(command);
  if (foreign !== null) return { ok: false, problem: foreign };
  const words: string[] = [];
  const variables = new Set<string>();
  let word: string | null = null;
  let rest = command.trim();
  while (rest !== '') {
    const blank = blankAt(rest, word === null);
    if (blank > 0) {
      if (word !== null && !CONTINUED.test(rest)) {
        words.push(word);
        word = null;
      }
      rest = rest.slice(blank);
      continue;
    }
    if ((word === null ? END : END_IN_WORD).test(rest)) break;
    const piece = nextPiece(rest, variables);
    if (typeof piece === 'string') return { ok: false, problem: piece };
    word = (word ?? '') + piece.text;
    rest = rest.slice(piece.length);
  }
  if (word !== null) words.push(word);
  return { ok: true, words, variables: [...variables], leftOut: rest.trim() };
}

/** Length of the blank text here: spaces, a continued line or, between words, a comment. */
function blankAt(text: string, isBetween: boolean): number {
  const comment = isBetween ? COMMENT : /^(?!)/;
  const match = [CONTINUED, LOST_CONTINUATION, /^[ \t]+/, comment].find((each) => each.test(text));
  return match?.exec(text)?.[0].length ?? 0;
}

const QUOTED = /\$'(?:[^'\\]|\\[\s\S])*'|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g;

/** Other shells quote differently, so their commands would be misread. */
function findForeignShell(command: string): string | null {
  const bare = command.replaceAll(QUOTED, '');
  if (/\^(?:\s|$)/.test(bare)) {
    return 'This is written for the Windows command prompt: copy it as cURL (bash).';
  }
  if (/`[ \t]*\r?\n/.test(bare)) return 'This is written for PowerShell: copy it as cURL (bash).';
  if (/[“”‘’]/.test(bare))
    return 'The command has typographic quotes (“ or ’). Use straight quotes.';
  return null;
}

const NOT_CLOSED = 'A quote is not closed.';
const NOT_RUN = 'A command within the command cannot be read: replace it with its output.';

/** The next piece of a word, or a message about why it cannot be read. */
function nextPiece(text: string, variables: Set<string>): Piece | string {
  if (text.startsWith("$'")) return ansiQuoted(text) ?? NOT_CLOSED;
  if (text.startsWith("'")) return quoted(/^'([^']*)'/.exec(text)) ?? NOT_CLOSED;
  if (text.startsWith('"')) return doubleQuoted(text, variables);
  if (text.startsWith('\\')) return { text: text.slice(1, 2), length: Math.min(2, text.length) };
  if (SUBSTITUTION.test(text)) return NOT_RUN;
  const variable = VARIABLE.exec(text);
  if (variable === null) return { text: text.charAt(0), length: 1 };
  return { text: reference(variable, variables), length: variable[0].length };
}

function doubleQuoted(text: string, variables: Set<string>): Piece | string {
  const piece = quoted(/^"((?:[^"\\]|\\[\s\S])*)"/.exec(text));
  if (piece === null) return NOT_CLOSED;
  let plain = '';
  let rest = piece.text;
  while (rest !== '') {
    const escaped = /^\\(?:([$`"\\])|\r?\n)/.exec(rest);
    const variable = VARIABLE.exec(rest);
    if (escaped === null && SUBSTITUTION.test(rest)) return NOT_RUN;
    if (escaped !== null) plain += escaped[1] ?? '';
    else plain += variable === null ? rest.charAt(0) : reference(variable, variables);
    rest = rest.slice((escaped ?? variable)?.[0].length ?? 1);
  }
  return { ...piece, text: plain };
}

function reference([, braced, bare]: RegExpExecArray, variables: Set<string>): string {
  const name = braced ?? bare ?? '';
  variables.add(name);
  return `{{${name}}}`;
}

function quoted(match: RegExpExecArray | null): Piece | null {
  return match === null ? null : { text: match[1] ?? '', length: match[0].length };
}

/** `$'…'`: browsers write it for texts that contain quotes or line breaks. */
function ansiQuoted(text: string): Piece | null {
  const piece = quoted(/^\$'((?:[^'\\]|\\[\s\S])*)'/.exec(text));
  if (piece === null) return null;
  const plain = piece.text.replaceAll(
    /\\(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2})|([\s\S]))/g,
    (_whole, unicode?: string, hex?: string, letter?: string) => {
      const code = unicode ?? hex;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return ESCAPES[letter ?? ''] ?? `\\${letter ?? ''}`;
    },
  );
  return { ...piece, text: plain };
}

/** Quotes the text as a single shell word. */
export function shellQuote(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
