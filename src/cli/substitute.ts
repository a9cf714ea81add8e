/**
 * `${NAME}` in the texts of a document, for the names that the document declares under `env`, and
 * for no others: what is not declared stays as it is.
 */
import { usageError } from './cli-error';
import type { Environment } from './stored-login';

/** Of the command line itself: a definition has no use for them, but could carry them away. */
const OWN_SECRETS: ReadonlySet<string> = new Set(['KEEPWATCH_API_KEY', 'KEEPWATCH_SECRET_KEY']);
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

type Content = Readonly<Record<string, unknown>>;

/** Texts only, after parsing, so that no value can change the structure. `$${NAME}` is `${NAME}`. */
export function substitute(content: Content, environment: Environment, shown: string): Content {
  const values = valuesOf(content['env'], environment, shown);
  if (values.size === 0) return content;
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [
      name,
      name === 'env' ? value : replaced(value, values),
    ]),
  );
}

/** A name, or `{name, default}`; every missing one is named at once. */
function valuesOf(
  declared: unknown,
  environment: Environment,
  shown: string,
): ReadonlyMap<string, string> {
  if (declared === undefined || declared === null) return new Map();
  if (!Array.isArray(declared)) throw usageError(`${shown}: env must be a list of names.`);
  const values = new Map<string, string>();
  const missing: string[] = [];
  for (const entry of declared.map((each: unknown) => declarationOf(each, shown))) {
    if (OWN_SECRETS.has(entry.name))
      throw usageError(`${shown}: ${entry.name} must not be put into a definition.`);
    const value = environment[entry.name] ?? entry.byDefault;
    if (value === undefined) missing.push(entry.name);
    else values.set(entry.name, value);
  }
  if (missing.length === 0) return values;
  throw usageError(
    `${shown}: the environment does not hold ${missing.join(', ')}.`,
    'Set them, or give them a default: env: [{name: NAME, default: value}].',
  );
}

function declarationOf(entry: unknown, shown: string) {
  if (typeof entry === 'string' && NAME.test(entry)) return { name: entry, byDefault: undefined };
  if (typeof entry === 'object' && entry !== null && 'name' in entry) {
    const { name } = entry;
    const byDefault = 'default' in entry ? String(entry.default) : undefined;
    if (typeof name === 'string' && NAME.test(name)) return { name, byDefault };
  }
  throw usageError(`${shown}: env must list names, or {name, default}.`);
}

function replaced(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return replacedText(value, values);
  if (Array.isArray(value)) return value.map((item: unknown) => replaced(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaced(inner, values)]),
  );
}

function replacedText(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /(\$?)\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g,
    (whole: string, dollar: string, name: string) => {
      const value = values.get(name);
      if (value === undefined) return whole;
      return dollar === '' ? value : `\${${name}}`;
    },
  );
}
