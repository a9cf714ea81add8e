/** Quoted names of JSON paths by RFC 9535 §2.3.1.1: parsing and quoting. */

const QUOTED = /^(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/su;
const ESCAPE = /\\(?:u([0-9A-Fa-f]{4})|([bfnrt/\\'"]))/g;
const ESCAPED: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

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
  if (/\p{Surrogate}/u.test(name)) return refuse('A name must not contain half of a character.');
  return { ok: true, name, rest: text.slice(whole.length) };
}

/** null: an unknown escape. The other quote needs no escape. */
function withoutEscapes(written: string, otherQuote: string): string | null {
  const unknown = written.replaceAll(ESCAPE, (whole) => (whole === `\\${otherQuote}` ? whole : ''));
  if (unknown.includes('\\')) return null;
  return written.replaceAll(ESCAPE, (_whole, code?: string, letter = '') =>
    code === undefined
      ? (ESCAPED[letter] ?? letter)
      : String.fromCharCode(Number.parseInt(code, 16)),
  );
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
