/** Finds headers with credentials. Turns them into secrets, and masks them in YAML. */
import { HEADER_MASK, isSensitiveHeader } from '../../../../domain/secrets/sensitive-headers';

import type { HeaderRow } from '../rows/rows';

interface Header {
  readonly name: string;
  readonly value: string;
}

/** True if the header contains a credential in plain text, and not only references. */
export function holdsCredential({ name, value }: Header): boolean {
  return value !== '' && isSensitiveHeader(name, value);
}

interface Kept {
  readonly secretName: string;
  readonly secretValue: string;
  /** The new value of the header. The scheme, like `Bearer`, stays readable. */
  readonly headerValue: string;
}

/**
 * Moves the credential of a header into a secret. `Bearer abc` becomes `Bearer {{secret:authorization}}`. The new
 * secret gets a name that is not in `taken`.
 */
export function toSecret({ name, value }: Header, taken: readonly string[]): Kept {
  const [, scheme = '', credential = value] =
    /^((?:basic|bearer|token|apikey) +)(.+)$/i.exec(value) ?? [];
  const wanted =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9_.-]/g, '-')
      .replace(/^\.+/, '') || 'header';
  const secretName = freeName(wanted, taken);
  return {
    secretName,
    secretValue: credential,
    headerValue: `${scheme}{{secret:${secretName}}}`,
  };
}

function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const name = `${wanted}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

/** Returns the headers with masked credentials. */
export function maskedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      holdsCredential({ name, value }) ? HEADER_MASK : value,
    ]),
  );
}

export function maskedRows(rows: readonly HeaderRow[]): readonly HeaderRow[] {
  return rows.map((row) => (holdsCredential(row) ? { ...row, value: HEADER_MASK } : row));
}

/** Returns the typed rows, in which masked values are replaced by the values of `shown`. */
export function unmaskedRows(
  typed: readonly HeaderRow[],
  shown: readonly HeaderRow[],
): readonly HeaderRow[] {
  return typed.map((row) => {
    if (row.value !== HEADER_MASK) return row;
    const stored = shown.find(({ name }) => name === row.name);
    return stored === undefined ? row : { ...row, value: stored.value };
  });
}
