/** The JSON path of a node that somebody pointed at. Pure. */

export type Key = string | number;

/** `['data', 0, 'odd name']` → `$.data[0]['odd name']`, as jsonPath assertions and extractions take it. */
export function jsonPathOf(keys: readonly Key[]): string {
  return keys.reduce<string>((path, key) => `${path}${partOf(key)}`, '$');
}

function partOf(key: Key): string {
  if (typeof key === 'number') return `[${key}]`;
  if (/^[A-Za-z_]\w*$/.test(key)) return `.${key}`;
  return `['${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
}
