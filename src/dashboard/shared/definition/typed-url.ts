/** Corrects URLs that were typed or pasted carelessly. Pure. */
import { cutText } from '../../../domain/text/cut-text';

const SCHEME = /^https?:\/\//i;
const BARE_HOST = /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d+)?(?:[/?#]|$)/i;

/** Removes the first of two schemes. A pasted URL has its own scheme, which comes after the typed scheme. */
export function withOneScheme(url: string): string {
  const rest = url.trimStart().replace(SCHEME, '').trimStart();
  return SCHEME.test(rest) ? rest : url;
}

/** Adds the scheme: `example.com/a` → `https://example.com/a`. Everything else stays as it is. */
export function withScheme(url: string): string {
  const trimmed = url.trim();
  return BARE_HOST.test(trimmed) ? `https://${trimmed}` : url;
}

/** Suggests a name: `https://example.com/a/` → `example.com/a`. Empty if there is no host yet. */
export function suggestName(url: string): string {
  if (!SCHEME.test(url) || url.includes('{{') || !URL.canParse(url)) return '';
  const { host, pathname } = new URL(url);
  return cutText(`${host}${pathname.replace(/\/$/, '')}`, 200);
}
