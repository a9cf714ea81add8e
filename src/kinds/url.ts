/** The URL fields of HTTP checks, and of other kinds that have a URL. */
import { z } from 'zod';
import { hasEmptyLabel } from '../domain/definitions/host-labels';
import { hasForbiddenCharacters } from '../schemas/fields';
import { report } from '../schemas/issues';

export const URL_MAX = 2048;
/**
 * Matches the scheme of a WebSocket URL. Once the scheme is replaced with http, the URL can be validated like an http
 * URL.
 */
export const SOCKET_SCHEME = /^ws(s?:)/i;

/** An http(s) URL that may contain `{{references}}`. Their values are checked when the request is sent. */
export const urlField = z
  .string()
  .max(URL_MAX)
  .meta({
    pattern: String.raw`^(?:[Hh][Tt][Tt][Pp][Ss]?://|\{\{)`,
    description: 'http or https; may contain `{{variables}}`',
  })
  .superRefine((url, context) => {
    const problem = findUrlProblem(url);
    if (problem !== null) report(context, [], { code: 'invalid_value', message: problem });
  });

/** Like urlField, but also accepts ws and wss. The monitor's type decides which scheme is allowed. */
export const anyUrlField = z
  .string()
  .max(URL_MAX)
  .meta({ pattern: String.raw`^(?:(?:[Hh][Tt][Tt][Pp]|[Ww][Ss])[Ss]?://|\{\{)` })
  .superRefine((url, context) => {
    const problem = findUrlProblem(url.replace(SOCKET_SCHEME, 'http$1'));
    if (problem !== null) report(context, [], { code: 'invalid_value', message: problem });
  });

/**
 * Returns the problem of the URL. null if it is a valid http or https URL. The values of references are not known here.
 */
export function findUrlProblem(url: string): string | null {
  if (hasForbiddenCharacters(url)) return 'must not contain line breaks';
  const startsWithReference = /^\{\{[^{}]*\}\}/.test(url);
  const plain = url.replaceAll(/\{\{[^{}]*\}\}/g, 'x');
  const candidate = startsWithReference && !plain.startsWith('x://') ? `http://${plain}` : plain;
  if (!/^https?:\/\//i.test(candidate)) return 'must begin with http:// or https://';
  if (/^https?:\/\/[/\\?#]/i.test(candidate)) return 'must name a host';
  if (!URL.canParse(candidate)) return 'is not a valid URL';
  const { username, password, hostname } = new URL(candidate);
  if (username !== '' || password !== '')
    return 'must not contain a user or password; use an Authorization header';
  if (hasEmptyLabel(hostname)) return 'must name a host, without two dots in a row';
  return null;
}
