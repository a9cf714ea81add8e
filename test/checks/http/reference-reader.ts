/**
 * A second reader of HTTP/1 responses, as short as possible. It reads all bytes at once after the connection has
 * closed. Tests compare the real reader with it.
 */
import type { Reading } from './response-table';

/** Splits the text at the first line feed. Returns the line without its line ending, and the rest. */
function cutLine(text: string): readonly [line: string, rest: string] | null {
  const end = text.indexOf('\n');
  return end === -1 ? null : [text.slice(0, end).replace(/\r$/, ''), text.slice(end + 1)];
}

interface Head {
  readonly status: number;
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly rest: string;
}

function readFields(lines: readonly string[]): ReadonlyMap<string, readonly string[]> | null {
  const fields = new Map<string, string[]>();
  const unfolded = lines.join('\n').replaceAll(/\n[ \t]+/g, ' ');
  if (/^[ \t]/.test(lines[0] ?? '')) return null;
  for (const line of lines.length === 0 ? [] : unfolded.split('\n')) {
    const colon = line.indexOf(':');
    if (colon === -1 || line.includes('\0')) return null;
    const trim = (part: string) => part.replaceAll(/^[ \t]+|[ \t]+$/g, '');
    const name = trim(line.slice(0, colon)).toLowerCase();
    const value = trim(line.slice(colon + 1).replaceAll('\r', ' '));
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return fields;
}

function readHead(text: string): Head | null {
  const lines: string[] = [];
  let rest = text;
  for (let cut = cutLine(rest); cut !== null; cut = cutLine(rest)) {
    const [line] = cut;
    rest = cut[1];
    if (line === '' && lines.length > 0) {
      const [first = '', ...others] = lines;
      const status = /^http\/(?:1(?:\.\d)?|2(?:\.\d)?)[ \t]+([1-9]\d\d)(?!\d)/i.exec(first)?.[1];
      if (status === undefined || status === '101') return null;
      const fields = readFields(others);
      if (status.startsWith('1')) return readHead(rest);
      return fields === null ? null : { status: Number(status), fields, rest };
    }
    if (line !== '') lines.push(line);
  }
  return null;
}

function listOf({ fields }: Head, name: string): readonly string[] {
  const values = fields.get(name) ?? [];
  return values.flatMap((value) => value.split(',')).map((one) => one.trim().toLowerCase());
}

function readChunks(text: string): string | null {
  let body = '';
  let cut = cutLine(text);
  while (cut !== null) {
    const size = /^([0-9a-f]+)[ \t]*(?:;.*)?$/i.exec(cut[0])?.[1];
    const length = Number.parseInt(size ?? '', 16);
    if (!Number.isSafeInteger(length)) return null;
    if (length === 0) return /(?:^|\n)\r?\n/.test(cut[1]) ? body : null;
    const end = cut[1].slice(length);
    body += cut[1].slice(0, length);
    if (!/^\r?\n/.test(end)) return null;
    cut = cutLine(end.replace(/^\r?\n/, ''));
  }
  return null;
}

/** Returns status and body, or null for a refused or incomplete response. */
export function readAtOnce(bytes: Buffer): Reading {
  const head = readHead(bytes.toString('latin1'));
  if (head === null) return null;
  const { status, rest } = head;
  if (status === 204 || status === 304) return [status, ''];
  const codings = listOf(head, 'transfer-encoding').filter(
    (one) => !['', 'identity'].includes(one),
  );
  if (
    !/^(?:(?:(?:x-)?gzip|deflate) )*(?:chunked )*$/.test(codings.map((one) => `${one} `).join(''))
  )
    return null;
  if (codings.length > 0 && !codings.includes('chunked')) return null;
  if (codings.length > 0) {
    const body = readChunks(rest);
    return body === null ? null : [status, body];
  }
  const lengths = listOf(head, 'content-length');
  if (lengths.length === 0) return [status, rest];
  const length = Number(lengths[0]);
  const isOne = lengths.every((one) => /^\d+$/.test(one) && Number(one) === length);
  const isThere = Number.isSafeInteger(length) && rest.length >= length;
  return isOne && isThere ? [status, rest.slice(0, length)] : null;
}
