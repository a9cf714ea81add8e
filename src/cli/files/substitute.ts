/** Replaces `${NAME}` in the texts of a document, for names that the document declares under `env`. */
import { type CliError, usageError } from '../cli-error';
import type { Environment } from '../stored-login';

/** Variables with secrets of the command line itself. No definition may use them. */
const OWN_SECRETS: ReadonlySet<string> = new Set([
  'KEEPWATCH_API_KEY',
  'KEEPWATCH_PROBE_KEY',
  'KEEPWATCH_SECRET_KEY',
]);
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Matches a name that contains a word for secrets, as in `SHOP_TOKEN`, `AWS_ACCESS_KEY_ID` or `apikey`. */
const SECRET_WORD =
  /(?:^|_)(?:api_?key|auth|cookie|credentials?|key|pass|passphrase|passwd|password|secrets?|tokens?)(?:_|$)|_pwd$/i;

type Content = Readonly<Record<string, unknown>>;

export interface Substitution {
  readonly environment: Environment;
  /** Names that may be filled in although they look secret. */
  readonly allowed: ReadonlySet<string>;
  /** Called with each name whose value is filled in from the environment. */
  readonly onUse: (name: string) => void;
}

/**
 * Replaces variables after parsing, so that no value can change the structure. `$${NAME}` becomes `${NAME}`. Refuses
 * values that look like secrets, except for the allowed names.
 */
export function substitute(content: Content, source: Substitution, shown: string): Content {
  const values = readValues(content['env'], source, shown);
  if (values.size === 0) return content;
  const substitutionOf = (name: string): string | undefined => {
    if (values.has(name) && source.environment[name] !== undefined) source.onUse(name);
    return values.get(name);
  };
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [
      name,
      name === 'env' ? value : replaced(value, substitutionOf),
    ]),
  );
}

/**
 * Reads the values of the declared variables. Each entry is a name, or `{name, default}`. One error names all missing
 * variables.
 */
function readValues(
  declared: unknown,
  { environment, allowed }: Substitution,
  shown: string,
): ReadonlyMap<string, string> {
  if (declared === undefined || declared === null) return new Map();
  if (!Array.isArray(declared)) throw usageError(`${shown}: env must be a list of names.`);
  const values = new Map<string, string>();
  const missing: string[] = [];
  const secret: string[] = [];
  for (const entry of declared.map((each: unknown) => readDeclaration(each, shown))) {
    if (OWN_SECRETS.has(entry.name))
      throw usageError(`${shown}: ${entry.name} must not be put into a definition.`);
    const given = environment[entry.name];
    const value = given ?? entry.byDefault;
    if (value === undefined) missing.push(entry.name);
    else values.set(entry.name, value);
    if (given !== undefined && looksSecret(entry.name, given) && !allowed.has(entry.name))
      secret.push(entry.name);
  }
  if (secret.length > 0) throw refusedSecrets(secret, shown);
  if (missing.length === 0) return values;
  throw usageError(
    `${shown}: these environment variables are not set: ${missing.join(', ')}.`,
    'Set them, or give them a default: env: [{name: NAME, default: value}].',
  );
}

export function hasSecretName(name: string): boolean {
  return SECRET_WORD.test(name);
}

/** True if the name looks like a secret, or if the value is a URL with a password. */
function looksSecret(name: string, value: string): boolean {
  if (hasSecretName(name)) return true;
  return URL.canParse(value) && new URL(value).password !== '';
}

function refusedSecrets(names: readonly string[], shown: string): CliError {
  const options = names.map((name) => `--allow-env ${name}`).join(' ');
  return usageError(
    `${shown}: ${names.join(', ')} of the environment ${names.length === 1 ? 'looks' : 'look'} like a secret. Everyone who can read the definition would see it.`,
    `Keep it as a secret (keepwatch secrets set NAME --from-env ${names[0]}) and write {{secret:NAME}}, or allow it: ${options}`,
  );
}

function readDeclaration(entry: unknown, shown: string) {
  if (typeof entry === 'string' && NAME.test(entry)) return { name: entry, byDefault: undefined };
  if (typeof entry === 'object' && entry !== null && 'name' in entry) {
    const { name } = entry;
    const byDefault = 'default' in entry ? String(entry.default) : undefined;
    if (typeof name === 'string' && NAME.test(name)) return { name, byDefault };
  }
  throw usageError(`${shown}: env must list names, or {name, default}.`);
}

type SubstitutionOf = (name: string) => string | undefined;

function replaced(value: unknown, substitutionOf: SubstitutionOf): unknown {
  if (typeof value === 'string') return replacedText(value, substitutionOf);
  if (Array.isArray(value)) return value.map((item: unknown) => replaced(item, substitutionOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaced(inner, substitutionOf)]),
  );
}

function replacedText(text: string, substitutionOf: SubstitutionOf): string {
  return text.replaceAll(
    /(\$?)\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g,
    (whole: string, dollar: string, name: string) => {
      const value = substitutionOf(name);
      if (value === undefined) return whole;
      return dollar === '' ? value : `\${${name}}`;
    },
  );
}
