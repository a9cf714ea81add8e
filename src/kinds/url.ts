/** URLs that are checked: of HTTP, and of the kinds that name theirs by one. */
import { z } from 'zod';
import { hasEmptyLabel } from '../domain/definitions/host-labels';
import { hasForbiddenCharacters } from '../schemas/fields';
import { report } from '../schemas/issues';

export const URL_MAX = 2048;
/** Has the same parts as one of http. */
export const SOCKET_SCHEME = /^ws(s?:)/i;

/** An http(s) address that may hold `{{references}}`; what they stand for is checked when sent. */
export const urlField = z
  .string()
  .max(URL_MAX)
  .meta({
    pattern: String.raw`^(?:[Hh][Tt][Tt][Pp][Ss]?://|\{\{)`,
    description: 'http or https; may hold `{{variables}}`',
  })
  .superRefine((url, context) => {
    const problem = findUrlProblem(url);
    if (problem !== null) report(context, [], { code: 'invalid_value', message: problem });
  });

/** As urlField, or a URL of ws or wss: which of them is for the type to say. */
export const anyUrlField = z
  .string()
  .max(URL_MAX)
  .meta({ pattern: String.raw`^(?:(?:[Hh][Tt][Tt][Pp]|[Ww][Ss])[Ss]?://|\{\{)` })
  .superRefine((url, context) => {
    const problem = findUrlProblem(url.replace(SOCKET_SCHEME, 'http$1'));
    if (problem !== null) report(context, [], { code: 'invalid_value', message: problem });
  });

/** null: it is one of http or https, whatever its references stand for. */
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
