/** Headers with credentials: turns one into a secret, and masks credentials in YAML. */
import { HEADER_MASK, isSensitiveHeader } from '../../../domain/secrets/sensitive-headers';

import type { HeaderRow } from './rows';

interface Header {
  readonly name: string;
  readonly value: string;
}

/** True if the header holds literal credentials; references alone reveal nothing. */
export function holdsCredential({ name, value }: Header): boolean {
  return value !== '' && isSensitiveHeader(name, value);
}

interface Kept {
  readonly secretName: string;
  readonly secretValue: string;
  /** The new value of the header; the scheme stays readable. */
  readonly headerValue: string;
}

/** `Bearer abc` becomes `Bearer {{secret:authorization}}`, with a free name. */
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

/** The headers with their literal credentials masked. */
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

/** The typed rows, with masked values replaced by the original values of `shown`. */
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
