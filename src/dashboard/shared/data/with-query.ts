/** Builds paths with a query. Pure. */

/** Returns a path such as `/v1/things?a=1`; empty values are left out. */
export function withQuery(path: string, query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  if (given.length === 0) return path;
  const texts = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  return `${path}?${new URLSearchParams(texts)}`;
}
