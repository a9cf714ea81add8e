/**
 * Parses the status line and headers of a response as leniently as other clients do (RFC 9112 §2.2, §6.3). Rejects
 * headers that different clients would understand differently.
 */
import { isUtf8 } from 'node:buffer';
import type { NamedValue } from '../../contracts/definition';

export interface StatusLine {
  readonly status: number;
  readonly httpVersion: string;
}

export interface ResponseHead extends StatusLine {
  /**
   * Names are in lower case. Lines of the same name are joined by a comma. `set-cookie` lines are joined by a line
   * break, because a cookie may contain a comma (RFC 9110 §5.3).
   */
  readonly headers: ReadonlyMap<string, string>;
  /** All header lines, not joined. */
  readonly lines: readonly NamedValue[];
}

/** How the end of a body is found. */
export type Framing =
  | { readonly kind: 'none' | 'chunked' | 'untilClose' }
  | { readonly kind: 'sized'; readonly bytes: number };

/** Matches a status line. Gateways may send `HTTP/2` in the status line of an HTTP/1 response. */
const STATUS_LINE = /^HTTP\/([12])(?:\.(\d))?[ \t]+([1-9]\d\d)(?!\d)/i;
const VERSION_START = 'HTTP/';

/** True if these bytes may be the start of a status line. */
export function mayBecomeStatusLine(start: Buffer): boolean {
  const text = start.toString('latin1', 0, VERSION_START.length).toUpperCase();
  return VERSION_START.startsWith(text);
}

/** Parses a status line. Returns null if the line is not one. */
export function parseStatusLine(line: Buffer): StatusLine | null {
  const [start, major, minor = '0', status] = STATUS_LINE.exec(line.toString('latin1')) ?? [];
  if (start === undefined) return null;
  return { status: Number(status), httpVersion: `${major}.${minor}` };
}

/** Decodes UTF-8 if it is valid, otherwise Latin-1. */
export function decodeValue(name: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const text = bytes.toString('latin1');
  // The bytes of a redirect URL stay unchanged, because their charset is unknown.
  return name === 'location'
    ? text.replace(/[\x80-\xff]/g, (one) => encodeByte(one.charCodeAt(0)))
    : text;
}

function encodeByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase()}`;
}

const COLON = 0x3a;
const CR = 0x0d;
const BLANK = 0x20;

function isBlank(byte: number | undefined): boolean {
  return byte === BLANK || byte === 0x09;
}

function trimBytes(bytes: Buffer): Buffer {
  let [start, end] = [0, bytes.length];
  while (start < end && isBlank(bytes[start])) start += 1;
  while (end > start && isBlank(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

/** True for a line that continues the previous one (RFC 9112 §5.2). */
export function isContinuation(line: Buffer): boolean {
  return isBlank(line[0]);
}

/** Joins the lines of a folded header (RFC 9112 §5.2). */
export function joinField(parts: readonly Buffer[]): Buffer {
  const [only = Buffer.alloc(0)] = parts;
  if (parts.length === 1) return only;
  const blank = Buffer.from(' ');
  return Buffer.concat(parts.flatMap((part) => [blank, trimBytes(part)])).subarray(1);
}

/** Returns the name, which may be empty, and the value of a header line. null means that it is not a header. */
export function parseField(line: Buffer): NamedValue | null {
  const colon = line.indexOf(COLON);
  if (colon === -1 || line.includes(0)) return null;
  const name = trimBytes(line.subarray(0, colon)).toString('latin1').toLowerCase();
  const value = trimBytes(withoutReturns(line.subarray(colon + 1)));
  return { name, value: decodeValue(name, value) };
}

/** Replaces each carriage return within a line by a blank (RFC 9112 §2.2). */
function withoutReturns(bytes: Buffer): Buffer {
  if (!bytes.includes(CR)) return bytes;
  return Buffer.from(bytes.map((byte) => (byte === CR ? BLANK : byte)));
}

export function buildHead(statusLine: StatusLine, lines: readonly NamedValue[]): ResponseHead {
  const headers = new Map<string, string>();
  for (const { name, value } of lines) {
    const before = headers.get(name);
    const separator = name === 'set-cookie' ? '\n' : ', ';
    headers.set(name, before === undefined ? value : `${before}${separator}${value}`);
  }
  return { ...statusLine, headers, lines };
}

/** Statuses of responses without a body, even if they have a content-length (RFC 9110 §8.6). */
const BODILESS_STATUSES = new Set([204, 304]);

/** Splits a list header into its entries, in lower case. */
export function splitList(value: string | undefined): readonly string[] {
  return value === undefined ? [] : value.split(',').map((one) => one.trim().toLowerCase());
}

/**
 * Returns the transfer codings except chunked, in the order of application. null means that one of them is not
 * supported.
 */
export function listTransferCodings({ headers }: ResponseHead): readonly string[] | null {
  const named = splitList(headers.get('transfer-encoding'));
  const codings = named.filter((one) => one !== '' && one !== 'identity' && one !== 'chunked');
  const isKnown = codings.every((one) => ['gzip', 'x-gzip', 'deflate'].includes(one));
  const behindChunks = named.slice(named.indexOf('chunked') + 1);
  const isLast = named.includes('chunked') && behindChunks.every((one) => !codings.includes(one));
  return codings.length === 0 || (isKnown && isLast) ? codings : null;
}

/**
 * Returns how the end of the body is found (RFC 9112 §6.3), or why that is not possible. A chunked coding takes
 * precedence over a content-length.
 */
export function findFraming(head: ResponseHead, method: string): Framing | { problem: string } {
  if (method === 'HEAD' || BODILESS_STATUSES.has(head.status)) return { kind: 'none' };
  if (listTransferCodings(head) === null) {
    return { problem: 'The response has an unknown transfer-encoding.' };
  }
  const isChunked = splitList(head.headers.get('transfer-encoding')).includes('chunked');
  if (isChunked) return { kind: 'chunked' };
  const lengths = splitList(head.headers.get('content-length'));
  if (lengths.length === 0) return { kind: 'untilClose' };
  const values = new Set(lengths.map((one) => (/^\d+$/.test(one) ? Number(one) : Number.NaN)));
  const [bytes = Number.NaN] = values;
  if (values.size > 1) {
    return { problem: 'The response has several content-length headers that differ.' };
  }
  if (!Number.isSafeInteger(bytes)) {
    return { problem: 'The content-length header of the response is not valid.' };
  }
  return { kind: 'sized', bytes };
}
