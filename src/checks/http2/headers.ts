/** Converts HTTP/2 headers (RFC 9113 §8.2 and §8.3) to and from the form of Node's client. */
import type { OutgoingHttpHeaders } from 'node:http2';
import type { NamedValue } from '../../contracts/definition';
import { buildHead, decodeValue, type ResponseHead } from '../http/response-head';
import { buildLengthHeader, type WireRequest } from '../http/write-request';

/** Headers that are only for HTTP/1.1 connections. HTTP/2 requests are sent without them (RFC 9113 §8.2.2). */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Matches blanks around a value (RFC 9110 §5.5). The byte 0xA0 does not count as a blank, because many UTF-8 characters
 * contain it.
 */
const OUTER_BLANKS = /^[\t ]+|[\t ]+$/g;

/** Builds the headers of the request. Header names and values must already be valid, with one byte per character. */
export function buildRequestHeaders(request: WireRequest): OutgoingHttpHeaders {
  const { method, url, headers } = request;
  const values = new Map<string, string[]>();
  for (const { name, value } of [...headers, ...buildLengthHeader(request)]) {
    const lower = name.toLowerCase();
    if (CONNECTION_HEADERS.has(lower)) continue;
    values.set(lower, [...(values.get(lower) ?? []), value.replace(OUTER_BLANKS, '')]);
  }
  const [host = url.host] = values.get('host') ?? [];
  values.delete('host');
  return {
    ':method': method,
    ':scheme': url.protocol.slice(0, -1),
    ':authority': host,
    ':path': `${url.pathname}${url.search}`,
    ...Object.fromEntries(values),
  };
}

/** Builds the head of a response. `raw` lists names and values in turn, with one byte per character. */
export function readResponseHead(status: number, raw: readonly string[]): ResponseHead {
  const lines: NamedValue[] = [];
  for (const [name, value] of listPairs(raw)) {
    if (name.startsWith(':')) continue;
    lines.push({ name, value: decodeValue(name, Buffer.from(value, 'latin1')) });
  }
  return buildHead({ status, httpVersion: '2' }, lines);
}

/** Returns the size that these headers would have in HTTP/1.1. With it, both versions have the same limit. */
export function countHeadBytes(raw: readonly string[]): number {
  return listPairs(raw).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
}

function listPairs(raw: readonly string[]): readonly (readonly [string, string])[] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : [],
  );
}
