/** Finds the origin of a request, if the variables of its definition determine it. Pure. */
import type { JsonValue } from '../../contracts/definition';
import { isKindScheme } from '../../contracts/kinds';
import { type GeneratedName, renderUrl } from './template';

/** Matches the scheme and authority of a URL, or the reference that replaces them. */
const ORIGIN = /^(?:[a-z]+:\/\/)?[^/?#]*/i;

interface Known {
  /** Variables that are not secret, because URLs may not contain secrets. */
  readonly variables: ReadonlyMap<string, JsonValue>;
  readonly generated: Readonly<Record<GeneratedName, string>>;
}

/** Returns the URL up to the path, with known values filled in. null means that a part is unknown or invalid. */
export function findKnownOrigin(url: string, known: Known): URL | null {
  const [origin = ''] = ORIGIN.exec(url) ?? [];
  const rendered = renderUrl(origin, { ...known, secrets: new Map() });
  if (!rendered.ok || !URL.canParse(rendered.value)) return null;
  const parsed = new URL(rendered.value);
  const scheme = parsed.protocol.slice(0, -1);
  return scheme === 'http' || scheme === 'https' || isKindScheme(scheme) ? parsed : null;
}

/** Returns scheme, host and port. The property `origin` is `null` for schemes that browsers do not know. */
export function readOrigin({ origin, protocol, host }: URL): string {
  return origin === 'null' ? `${protocol}//${host.toLowerCase()}` : origin;
}
