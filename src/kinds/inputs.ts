/** The inputs of a kind's form. Only the dashboard loads this file. */

/** One input of a form. `name` is the name of the field in /v1. */
export interface KindInput {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  /**
   * The type of the input. `escaped` is a single line that shows line breaks and tabs as escape sequences (see
   * `escapeText`).
   */
  readonly input:
    | 'text'
    | 'escaped'
    | 'number'
    | 'switch'
    | 'choice'
    | 'list'
    | 'numbers'
    | 'headers';
  /** The options of a choice. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
}

export const START_TLS_INPUT: KindInput = {
  name: 'startTls',
  label: 'STARTTLS',
  input: 'choice',
  description: 'Starts in clear text and switches to TLS.',
  choices: [
    { value: 'smtp', label: 'SMTP' },
    { value: 'imap', label: 'IMAP' },
    { value: 'pop3', label: 'POP3' },
    { value: 'postgres', label: 'PostgreSQL' },
    { value: 'ldap', label: 'LDAP' },
  ],
};

const ESCAPES: Readonly<Record<string, string>> = { '\r': 'r', '\n': 'n', '\t': 't', '\\': '\\' };

/** Returns the text on a single line, so that it can be edited in a text input. */
export function escapeText(text: string): string {
  return text.replaceAll(/[\r\n\t\\]/g, (character) => `\\${ESCAPES[character] ?? character}`);
}

/** Undoes `escapeText`. A backslash before any other character is kept. */
export function unescapeText(text: string): string {
  const back: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', '\\': '\\' };
  return text.replaceAll(/\\([rnt\\])/g, (whole, letter: string) => back[letter] ?? whole);
}
