/** Where a request of a definition goes, as far as its own variables say. Pure. */
import type { JsonValue } from '../../contracts/definition';
import { type GeneratedName, renderUrl } from './template';

/** Scheme and authority, or the leading reference that stands for them. */
const ORIGIN = /^(?:[a-z]+:\/\/)?[^/?#]*/i;

interface Known {
  /** Plain ones: no address may hold a secret. */
  readonly variables: ReadonlyMap<string, JsonValue>;
  readonly generated: Readonly<Record<GeneratedName, string>>;
}

/**
 * The address up to the path, with what is known filled in; null when a part of it is not known, or
 * makes no http(s) address.
 */
export function findKnownOrigin(url: string, known: Known): URL | null {
  const [origin = ''] = ORIGIN.exec(url) ?? [];
  const rendered = renderUrl(origin, { ...known, secrets: new Map() });
  if (!rendered.ok || !URL.canParse(rendered.value)) return null;
  const parsed = new URL(rendered.value);
  return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? parsed : null;
}
