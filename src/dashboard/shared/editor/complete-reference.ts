/** Completion of `{{names}}` in one-line texts. */

export interface OfferedName {
  /** The text between the braces. */
  readonly label: string;
  /** The source of the value, in words. */
  readonly detail: string;
}

export interface OpenReference {
  /** The offset in the text at which the name begins. */
  readonly from: number;
  readonly typed: string;
}

/** Returns the text between an open `{{` and the cursor. null when there is none. */
export function openReference(text: string, cursor: number): OpenReference | null {
  const before = text.slice(0, cursor);
  const match = /\{\{\s*([^{}\s]*)$/.exec(before);
  if (match === null) return null;
  const typed = match[1] ?? '';
  return { from: cursor - typed.length, typed };
}

/** Inserts the name and closes the braces. Returns the text and the new position of the cursor. */
export function complete(
  text: string,
  cursor: number,
  label: string,
): { readonly text: string; readonly cursor: number } {
  const open = openReference(text, cursor);
  const from = open?.from ?? cursor;
  const rest = text.slice(cursor).replace(/^[^{}\s"'&/?]*(?=\}\})/, '');
  const closed = rest.startsWith('}}') ? rest : `}}${rest}`;
  return { text: `${text.slice(0, from)}${label}${closed}`, cursor: from + label.length + 2 };
}
