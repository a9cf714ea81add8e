/**
 * Uses placeholders for environment variables in the texts of another tool. When all texts are known, each placeholder
 * becomes `${NAME}`. A literal `${NAME}` in a text is therefore not mistaken for a variable.
 */

const OPEN = '\uE000';
const CLOSE = '\uE001';
const PLACEHOLDER = new RegExp(`${OPEN}([A-Za-z_][A-Za-z0-9_]*)${CLOSE}`, 'g');

/** Returns the placeholder. `name` must be a valid name of an environment variable, like `BASE_URL`. */
export function formatPlaceholder(name: string): string {
  return `${OPEN}${name}${CLOSE}`;
}

export function hasPlaceholder(text: string): boolean {
  return text.includes(OPEN);
}

export function listPlaceholders(value: unknown): ReadonlySet<string> {
  const found = JSON.stringify(value).matchAll(PLACEHOLDER);
  return new Set([...found].map(([, name = '']) => name));
}

/** Replaces placeholders by `${NAME}`. A literal `${NAME}` with one of the names becomes `$${NAME}`. */
export function withReferences<Value>(value: Value, names: ReadonlySet<string>): Value;
export function withReferences(value: unknown, names: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return referencesIn(value, names);
  if (Array.isArray(value)) return value.map((item: unknown) => withReferences(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      referencesIn(key, names),
      withReferences(inner, names),
    ]),
  );
}

function referencesIn(text: string, names: ReadonlySet<string>): string {
  const escaped = text.replaceAll(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g,
    (whole: string, name: string) => (names.has(name) ? `$${whole}` : whole),
  );
  return escaped.replaceAll(PLACEHOLDER, (_whole: string, name: string) => `\${${name}}`);
}
