/** A command line as words, by the quoting rules of a POSIX shell and of bash's `$'…'`. Pure. */

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

interface Piece {
  readonly text: string;
  readonly length: number;
}

/** null when a quote is not closed. */
export function shellWords(command: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let rest = command;
  while (rest !== '') {
    if (/^\\\r?\n/.test(rest)) {
      rest = rest.replace(/^\\\r?\n/, '');
      continue;
    }
    if (/^\s/.test(rest)) {
      if (word !== null) words.push(word);
      word = null;
      rest = rest.slice(1);
      continue;
    }
    const piece = nextPiece(rest);
    if (piece === null) return null;
    word = (word ?? '') + piece.text;
    rest = rest.slice(piece.length);
  }
  return word === null ? words : [...words, word];
}

function nextPiece(text: string): Piece | null {
  if (text.startsWith("$'")) return ansiQuoted(text);
  if (text.startsWith("'")) return quoted(/^'([^']*)'/.exec(text));
  if (text.startsWith('"')) {
    const piece = quoted(/^"((?:[^"\\]|\\[\s\S])*)"/.exec(text));
    if (piece === null) return null;
    return { ...piece, text: piece.text.replaceAll(/\\([$`"\\])|\\\r?\n/g, '$1') };
  }
  if (text.startsWith('\\')) return { text: text.slice(1, 2), length: Math.min(2, text.length) };
  return { text: text.charAt(0), length: 1 };
}

function quoted(match: RegExpExecArray | null): Piece | null {
  return match === null ? null : { text: match[1] ?? '', length: match[0].length };
}

/** What browsers write for texts with quotes or line breaks in them. */
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

/** The text as one word of a shell. */
export function shellQuote(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
