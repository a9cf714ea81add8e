/** A request that a file of another tool describes, on its way to a step. Pure. */
import { HTTP_METHODS } from '../contracts/definition';
import { jsonOrText } from '../contracts/json';
import { cutText } from '../domain/text/cut-text';

/** A request as a file describes it, with the names that the API uses. */
export interface FoundRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As a step has it; absent where the file says nothing that a step could do. */
  readonly auth?: Readonly<Record<string, string>> | undefined;
  /** `body`, `form`, `multipart` or `graphql`; nothing for none. */
  readonly content: Readonly<Record<string, unknown>>;
  /** False: one of the many that a page loads besides. */
  readonly isWanted: boolean;
}

export interface FoundRequests {
  readonly source: 'HAR' | 'Postman' | 'OpenAPI';
  /** What the file calls itself; empty where it does not. */
  readonly title: string;
  readonly requests: readonly FoundRequest[];
  /** Names that the requests use and nothing defines, with the values of the file. */
  readonly variables: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** The transport sets these itself. */
const OF_TRANSPORT =
  /^(?::.*|host|connection|content-length|accept-encoding|transfer-encoding|te|upgrade|sec-.*|cookie|upgrade-insecure-requests)$/i;

/** Headers that a step may carry; the others are set again for each request. */
export function carriedHeaders(
  lines: readonly (readonly [string, string])[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(lines.filter(([name]) => name !== '' && !OF_TRANSPORT.test(name)));
}

/** What a request of the method carries; a body that it cannot carry is noted. */
export function carriedContent(
  method: string,
  content: FoundRequest['content'],
  note: (message: string) => void,
): FoundRequest['content'] {
  if ((method !== 'GET' && method !== 'HEAD') || Object.keys(content).length === 0) return content;
  note(`Bodies of ${method} requests are not imported: they cannot be sent.`);
  return {};
}

/** JSON where it is JSON. */
export function bodyContent(text: string): Readonly<Record<string, unknown>> {
  return text === '' ? {} : { body: jsonOrText(text) };
}

/** A name of another tool as one that a variable may have: `order-id` becomes `order_id`. */
export function variableName(name: string): string {
  return name
    .trim()
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replace(/^(?=\d|$)/, '_')
    .slice(0, 64);
}

export function isMethodKnown(method: string): boolean {
  return HTTP_METHODS.some((known) => known === method);
}

/** The request as the fields of a step. */
export function stepFields({ name, method, url, headers, auth, content }: FoundRequest) {
  const named = { name: cutText(name, 100), method, url, headers };
  return { ...named, ...(auth === undefined ? {} : { auth }), ...content };
}
