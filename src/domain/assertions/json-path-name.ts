/** Quoted names of JSON paths by RFC 9535 §2.3.1.1: parsing, quoting, and translation for the library. */

const QUOTED = /^(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/su;
const ESCAPE = /\\(?:u([0-9A-Fa-f]{4})|([bfnrt/\\'"]))/g;
const ESCAPED: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
/** Matches characters that the library treats as syntax even inside quotes. */
const UNSAFE_IN_QUOTES = /[\p{Cc}()@'"\\]/u;
/** Matches names that the library finds in every list and text, even if the JSON has no such member. */
const BUILT_IN = /^(?:\d+|length)$/;
/**
 * Matches line separators. The library cannot handle a name that contains both a line separator and an unsafe
 * character.
 */
const LINE_SEPARATOR = /[\u2028\u2029]/;
/** An unused name that turns a single name into a list of names. The library reads names literally only in lists. */
const SECOND_NAME = "'\u0000'";

export type QuotedName =
  | { readonly ok: true; readonly name: string; readonly rest: string }
  | { readonly ok: false; readonly problem: string };

export function refuse(problem: string): { ok: false; problem: string } {
  return { ok: false, problem };
}

/** Reads the quoted name at the start of a text and undoes its escapes. */
export function readQuotedName(text: string): QuotedName {
  const match = QUOTED.exec(text);
  if (match === null) return refuse('A quoted name must end with the same quote.');
  const [whole, single, double] = match;
  const name =
    single === undefined ? withoutEscapes(double ?? '', "'") : withoutEscapes(single, '"');
  if (name === null) {
    return refuse("After a backslash in a name there must be n, t, \\, u00e9 or the name's quote.");
  }
  const problem = findNameProblem(name);
  return problem === null ? { ok: true, name, rest: text.slice(whole.length) } : refuse(problem);
}

/** Undoes the escapes. null means an unknown escape. The other kind of quote needs no escape. */
function withoutEscapes(written: string, otherQuote: string): string | null {
  const unknown = written.replaceAll(ESCAPE, (whole) => (whole === `\\${otherQuote}` ? whole : ''));
  if (unknown.includes('\\')) return null;
  return written.replaceAll(ESCAPE, (_whole, code?: string, letter = '') =>
    code === undefined
      ? (ESCAPED[letter] ?? letter)
      : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Returns a sentence that explains why a path cannot contain the name. null means that a path can contain the name. */
function findNameProblem(name: string): string | null {
  if (/\p{Surrogate}/u.test(name)) return 'A name must not contain half of a character.';
  if (LINE_SEPARATOR.test(name) && UNSAFE_IN_QUOTES.test(name)) {
    return 'A name with a line separator must not contain quotes, parentheses, @ or backslashes.';
  }
  return null;
}

/** Quotes the name so that it can be read back unchanged. */
export function quoteName(name: string): string {
  const text = name.replaceAll(/[\p{Cc}\p{Surrogate}\u2028\u2029'\\]/gu, (character) =>
    character === "'" || character === '\\'
      ? `\\${character}`
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `'${text}'`;
}

/**
 * Returns a selector for the members with these names, in the library's spelling. null means that the library cannot
 * express the list.
 */
export function translateNames(names: readonly string[]): string | null {
  const mustCompare = names.some((name) => BUILT_IN.test(name) || UNSAFE_IN_QUOTES.test(name));
  const [only = '', ...others] = names;
  if (mustCompare) return others.length === 0 ? `[?(@property === ${libraryText(only)})]` : null;
  const quoted = names.map((name) => `'${name}'`);
  return `[${[...quoted, ...(others.length === 0 ? [SECOND_NAME] : [])].join(',')}]`;
}

/**
 * Returns the name as string literals joined by `+`. Each character that the library treats as syntax gets its own
 * literal.
 */
function libraryText(name: string): string {
  const pieces = name.match(/[^()@'"\\\n\r]+|[\s\S]/g) ?? [''];
  return pieces.map(libraryLiteral).join('+');
}

function libraryLiteral(piece: string): string {
  if (piece === '"') return `'"'`;
  if (piece === '\\') return '"\\\\"';
  if (piece === '\n') return '"\\n"';
  return piece === '\r' ? '"\\r"' : `"${piece}"`;
}
