/** Parses the challenges of `WWW-Authenticate` (RFC 9110 §11.3). Skips malformed parts. */

export interface Challenge {
  /** The scheme in lower case. */
  readonly scheme: string;
  /** Names are in lower case. Values have no quotes. */
  readonly params: ReadonlyMap<string, string>;
}

const TOKEN = String.raw`[!#$%&'*+.^_\`|~0-9A-Za-z-]+`;
/** Matches a scheme, or a parameter of the scheme before it. */
const PART = new RegExp(String.raw`(${TOKEN})(?:[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|${TOKEN}))?`, 'g');

/** Returns the challenges in their order. The text is one header line, or several lines joined by commas. */
export function readChallenges(text: string): readonly Challenge[] {
  const found: { readonly scheme: string; readonly params: Map<string, string> }[] = [];
  for (const [, name = '', value] of text.matchAll(PART)) {
    if (value === undefined) found.push({ scheme: name.toLowerCase(), params: new Map() });
    else found.at(-1)?.params.set(name.toLowerCase(), unquoted(value));
  }
  return found;
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
}
