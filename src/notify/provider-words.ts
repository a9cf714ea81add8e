/** Describes alerts about an identity provider: the failure, its reason, and the checks. */
import type { ProviderFacts } from '../contracts/alerting/identity-providers';
import type { AlertMessage } from '../contracts/alerts';
import { cutText } from '../domain/text/cut-text';
import { toOneLine } from '../domain/text/plain-lines';
import { formatDuration } from './duration-words';

const REASON_MAX = 120;
const NAMED_MAX = 10;

/** Writes a line like `Identity provider down: auth.example.com: 503; 40 checks cannot sign in`. */
export function writeProviderHeadline(
  { kind, resourceName, atMs, sinceMs, openedAtMs }: AlertMessage,
  { problem, reason, checkCount, ended }: ProviderFacts,
): string {
  const host = toOneLine(resourceName);
  if (kind === 'recovery') {
    const lasted = formatDuration(atMs - (openedAtMs ?? atMs));
    if (ended === 'unused') return `${host}: no check signs in there any more, after ${lasted}`;
    if (ended === 'refused')
      return `${host} responds again after ${lasted}, and refuses the credentials`;
    const what = problem === 'refused' ? 'accepts the credentials' : 'gives tokens';
    return `${host} ${what} again after ${lasted}`;
  }
  const still = kind === 'reminder' ? ` for ${formatDuration(atMs - sinceMs)}` : '';
  const what = problem === 'refused' ? 'Credentials refused' : 'Identity provider down';
  const why = cutText(toOneLine(reason), REASON_MAX);
  const count = checkCount === 1 ? '1 check cannot' : `${checkCount} checks cannot`;
  return `${what}${still}: ${host}: ${why}; ${count} sign in`;
}

/** Returns the token URL, and the checks, like `Shop, Search and 38 others`. */
export function listProviderFacts({
  provider,
}: AlertMessage): readonly { readonly name: string; readonly value: string }[] {
  if (provider === undefined) return [];
  const { tokenUrl, checkCount, checks } = provider;
  const named = checks.slice(0, NAMED_MAX).map(({ resourceName }) => toOneLine(resourceName));
  const others = checkCount - named.length;
  const value = `${named.join(', ')}${others > 0 ? ` and ${others} others` : ''}`;
  return [
    { name: 'Token URL', value: toOneLine(tokenUrl) },
    ...(named.length === 0 ? [] : [{ name: 'Checks', value }]),
  ];
}
