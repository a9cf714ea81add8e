/** Writes the bytes of one HTTP/1.1 request. The request asks the server to close the connection afterwards. */
import type { HttpMethod, NamedValue } from '../../contracts/definition';

export interface WireRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly headers: readonly NamedValue[];
  readonly body: Buffer | null;
}

/** Methods that send `content-length: 0` if there is no body (RFC 9110 §8.6). */
const WITH_BODY = new Set<HttpMethod>(['POST', 'PUT', 'PATCH']);

/** Returns the `content-length` header of a request, if it needs one. */
export function buildLengthHeader({ method, body }: WireRequest): readonly NamedValue[] {
  const bytes = body?.length ?? 0;
  return bytes > 0 || WITH_BODY.has(method)
    ? [{ name: 'content-length', value: String(bytes) }]
    : [];
}

/** Builds the bytes of the request. Header names and values must already be valid, with one byte per character. */
export function writeRequest(request: WireRequest): Buffer {
  const { method, url, headers, body } = request;
  const isHost = ({ name }: NamedValue): boolean => name.toLowerCase() === 'host';
  const host = headers.find(isHost)?.value ?? url.host;
  const lines = [
    { name: 'host', value: host },
    { name: 'connection', value: 'close' },
    ...headers.filter((header) => !isHost(header)),
    ...buildLengthHeader(request),
  ].map(({ name, value }) => `${name}: ${value}\r\n`);
  const head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)]);
}
