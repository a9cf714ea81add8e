/** Converts a request from a file of another tool into a step. Pure. */
import { HTTP_METHODS } from '../contracts/definition';
import { parseJsonOrText } from '../contracts/json';
import { cutText } from '../domain/text/cut-text';

/** A request that was found in a file. Its fields have the names of the API. */
export interface FoundRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The `auth` of a step. undefined if there is none, or if a step does not support it. */
  readonly auth?: Readonly<Record<string, string>> | undefined;
  /** The field `body`, `form`, `multipart` or `graphql`. Empty if the request has no content. */
  readonly content: Readonly<Record<string, unknown>>;
  /** True means that the request is preselected. */
  readonly isWanted: boolean;
}

export interface FoundRequests {
  readonly source: 'HAR' | 'Postman' | 'OpenAPI';
  /** Title of the file. Empty if it has no title. */
  readonly title: string;
  readonly requests: readonly FoundRequest[];
  /** Variables that the requests use, with their values in the file. */
  readonly variables: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** Headers that HTTP clients set themselves. */
const OF_TRANSPORT =
  /^(?::.*|host|connection|content-length|accept-encoding|transfer-encoding|te|upgrade|sec-.*|cookie|upgrade-insecure-requests)$/i;

/** Returns the headers that a step can have. The HTTP client sets all other headers itself. */
export function pickSendableHeaders(
  lines: readonly (readonly [string, string])[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(lines.filter(([name]) => name !== '' && !OF_TRANSPORT.test(name)));
}

/** Removes content that a request with this method cannot have, and adds a note. */
export function pickSendableContent(
  method: string,
  content: FoundRequest['content'],
  note: (message: string) => void,
): FoundRequest['content'] {
  if ((method !== 'GET' && method !== 'HEAD') || Object.keys(content).length === 0) return content;
  note(`Bodies of ${method} requests are not imported: they cannot be sent.`);
  return {};
}

/** Returns the text as the `body` of a step, parsed if it is JSON. Returns no content for an empty text. */
export function toBodyContent(text: string): Readonly<Record<string, unknown>> {
  return text === '' ? {} : { body: parseJsonOrText(text) };
}

/** Converts a name of another tool into a valid variable name: `order-id` becomes `order_id`. */
export function toVariableName(name: string): string {
  return name
    .trim()
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replace(/^(?=\d|$)/, '_')
    .slice(0, 64);
}

export function isMethodKnown(method: string): boolean {
  return HTTP_METHODS.some((known) => known === method);
}

export function toStepFields({ name, method, url, headers, auth, content }: FoundRequest) {
  const named = { name: cutText(name, 100), method, url, headers };
  return { ...named, ...(auth === undefined ? {} : { auth }), ...content };
}
