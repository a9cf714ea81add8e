/**
 * Replaces credentials in imported requests by references, and notes the values to set. Finds credentials in URLs,
 * queries, headers, bodies and variables.
 */
import { isRecord } from '../../contracts/json';
import { isSensitiveHeader } from '../../domain/secrets/sensitive-headers';
import { formatVariableWord } from './channel-source';
import type { Fields, Imported, ImportNote } from './imported';

/** Matches a name that contains a word for secrets, as in `api_key`, `clientSecret` or `X-Auth-Token`. */
const SECRET_WORD =
  /(?:^|_)(?:api_?key|access_?key|private_?key|authorization|bearer|credentials?|jwt|pass|passphrase|passwd|password|pwd|secrets?|tokens?)(?:_|$)/;
/** Matches names that mention a secret but whose value is not secret, such as `token_url` or `password_hint`. */
const ABOUT = /_(?:count|endpoint|expires|expires_in|expiry|hint|length|name|type|ttl|uri|url)$/;
/** Matches further words that indicate a secret in a query. */
const QUERY_WORD = /(?:^|_)(?:auth|key|sas|sig|signature|session(?:_?id)?)(?:_|$)/;
const SCHEME = /^(basic|bearer|token|apikey|digest)\s+(\S.*)$/is;
/** Matches one or more references in a row: `{{…}}` or `${NAME}`. */
const REFERENCES = /^(?:\{\{[^{}]*\}\}|\$\{[A-Za-z_]\w*\})+$/;
const VARIABLE = /\$\{[A-Za-z_]\w*\}/g;
const NAME_MAX = 100;

/**
 * Patterns for a secret inside a text, with three groups: the part before the secret, the name of the secret, and its
 * value.
 */
const IN_TEXT: readonly RegExp[] = [
  // Matches <password>…</password>
  /(<(?:[\w-]+:)?([\w-]+)(?:\s[^<>]*)?>)([^<>{}]+)(?=<\/)/g,
  // Matches password: "…" and "password": '…'
  /((?:^|[^\w-])["']?([\w-]+)["']?\s*[:=]\s*["'])([^"'{}\r\n]+)(?=["'])/g,
  // Matches password=…&
  /((?:^|[&?\s])([\w-]+)=)([^&\s"'{}<>]+)/g,
];

export function isSecretName(name: string): boolean {
  const words = formatWords(name);
  return SECRET_WORD.test(words) && !ABOUT.test(words);
}

function formatWords(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}

/** Replaces the secrets of monitors and scenarios, and declares the needed variables. */
export function hideSecrets(imported: Imported): Imported {
  const notes: ImportNote[] = [];
  const declared = new Set<string>();
  const values = new Map<string, string>();
  const known = new Set(imported.env.map((entry) => readName(entry)));
  const vaultOf = (fields: Fields): Vault => ({
    prefix: formatVariableWord(String(fields['key'])).replace(/^(?=\d)/, 'MONITOR_'),
    values,
    note: (message) => notes.push({ name: String(fields['name']), message }),
    declare: (name) => {
      if (!known.has(name)) declared.add(name);
    },
  });
  const monitors = imported.monitors.map((monitor) => hideInRequest(monitor, vaultOf(monitor)));
  const scenarios = imported.scenarios?.map((scenario) => {
    const vault = vaultOf(scenario);
    const steps = readList(scenario['steps']).map((step) => hideInRequest({ ...step }, vault));
    return { ...withVariables(scenario, vault), steps };
  });
  return {
    ...imported,
    monitors,
    ...(scenarios !== undefined && { scenarios }),
    env: [...imported.env, ...declared],
    notes: [...imported.notes, ...notes],
  };
}

interface Vault {
  /** The prefix of the secrets' names. */
  readonly prefix: string;
  /** The secret values by name. */
  readonly values: Map<string, string>;
  readonly note: (message: string) => void;
  readonly declare: (name: string) => void;
}

function hideInRequest(given: Fields, vault: Vault): Fields {
  if (typeof given['url'] !== 'string')
    return given['send'] === undefined
      ? given
      : { ...given, send: hideInValue(given['send'], 'send', vault) };
  const request = withVariables(withoutUser(given, vault), vault);
  const changed: Record<string, unknown> = { ...request, url: hideInQuery(request, vault) };
  if (isRecord(request['headers']))
    changed['headers'] = mapEntries(request['headers'], (name, value) =>
      hideHeader(name, String(value), vault),
    );
  for (const field of ['body', 'form', 'graphql', 'send'])
    if (request[field] !== undefined) changed[field] = hideInValue(request[field], field, vault);
  if (Array.isArray(request['multipart']))
    changed['multipart'] = readList(request['multipart']).map((part) =>
      isSecretName(String(part['name'])) && typeof part['value'] === 'string'
        ? { ...part, value: secretFor(String(part['name']), part['value'], vault) }
        : part,
    );
  return changed;
}

/** Converts `https://user:password@host/` to a URL without the user, and `auth`. */
function withoutUser(request: Fields, vault: Vault): Fields {
  const url = String(request['url']);
  const [, scheme = '', user = '', rest = ''] =
    /^((?:https?|wss?):\/\/)([^/?#@]*)@(.*)$/is.exec(url) ?? [];
  if (scheme === '') return request;
  const headers = isRecord(request['headers']) ? request['headers'] : {};
  const bare = { ...request, url: `${scheme}${rest}` };
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) {
    vault.note('has both a user in its URL and the header Authorization; the user is left out');
    return bare;
  }
  if (/^ws/i.test(scheme)) {
    vault.note(
      'has a user in its URL, which WebSocket checks do not support; the user is left out',
    );
    return bare;
  }
  const [name = '', ...others] = user.split(':');
  const password = others.join(':');
  const secret = password === '' ? '' : nameFor('PASSWORD', password, vault);
  if (secret !== '') vault.note(`has a user in its URL: set the secret ${secret} to the password`);
  const given = secret === '' ? '' : `{{secret:${secret}}}`;
  return { ...bare, auth: { type: 'basic', user: decoded(name), password: given } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Replaces secrets in the query by environment variables, because URLs may not refer to secrets of the service. */
function hideInQuery({ url: given }: Fields, vault: Vault): string {
  const [, path = '', query, fragment = ''] =
    /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(String(given)) ?? [];
  if (query === undefined) return String(given);
  const pairs = query.split('&').map((pair) => {
    const [name = '', ...others] = pair.split('=');
    const value = others.join('=');
    const isSecret = isSecretName(name) || QUERY_WORD.test(formatWords(name));
    if (!isSecret || value === '' || REFERENCES.test(value)) return pair;
    const variable = nameFor(name, value, vault).replaceAll(/[.-]/g, '_');
    vault.declare(variable);
    vault.note(
      `has a secret in its URL (${name}): set ${variable} in the environment when you apply`,
    );
    return `${name}=\${${variable}}`;
  });
  return `${path}?${pairs.join('&')}${fragment}`;
}

function hideHeader(name: string, value: string, vault: Vault): string {
  const isHidden = isSensitiveHeader(name, value.replaceAll(VARIABLE, ''));
  if (!isHidden || value.trim() === '') return value;
  const [, scheme, token] = SCHEME.exec(value) ?? [];
  if (scheme === undefined || token === undefined) return secretFor(name, value, vault);
  if (scheme.toLowerCase() !== 'basic') return `${scheme} ${secretFor(name, token, vault)}`;
  const secret = nameFor('BASIC_AUTH', token, vault);
  vault.note(`signs in with a password: set the secret ${secret} to base64 of user:password`);
  return `${scheme} {{secret:${secret}}}`;
}

/**
 * Replaces the values of members whose name indicates a secret, even inside texts. `name` is the name of `value`
 * itself.
 */
function hideInValue(value: unknown, name: string, vault: Vault): unknown {
  const isPlain = typeof value === 'string' || typeof value === 'number';
  if (isPlain && isSecretName(name)) return secretFor(name, String(value), vault);
  if (typeof value === 'string') return hideInText(value, vault);
  if (Array.isArray(value)) return value.map((item: unknown) => hideInValue(item, name, vault));
  if (typeof value !== 'object' || value === null) return value;
  return mapEntries({ ...value }, (inner, part) => hideInValue(part, inner, vault));
}

function hideInText(text: string, vault: Vault): string {
  return IN_TEXT.reduce(
    (left, pattern) =>
      left.replaceAll(pattern, (whole: string, before: string, name: string, value: string) =>
        isSecretName(name) ? `${before}${secretFor(name, value, vault)}` : whole,
      ),
    text,
  );
}

/** Turns variables with secret names into secrets, whose values come from the environment. */
function withVariables(fields: Fields, vault: Vault): Fields {
  const { variables } = fields;
  if (!isRecord(variables)) return fields;
  const hidden = mapEntries(variables, (name, value) => {
    if (typeof value !== 'string' || value === '' || !isSecretName(name)) return value;
    if (REFERENCES.test(value)) return value;
    const variable = nameFor(name, value, vault).replaceAll(/[.-]/g, '_');
    vault.declare(variable);
    vault.note(`has a secret variable ${name}: set ${variable} in the environment when you apply`);
    return { value: `\${${variable}}`, secret: true };
  });
  return { ...fields, variables: hidden };
}

function secretFor(name: string, value: string, vault: Vault): string {
  if (value === '' || REFERENCES.test(value.trim())) return value;
  const secret = nameFor(name, value, vault);
  vault.note(`has a secret (${name}) that is not imported: set the secret ${secret}`);
  return `{{secret:${secret}}}`;
}

/**
 * Returns the name of a secret, built from the prefix and `name`. The same value always gets the same name. If several
 * values have the same `name`, a number is appended.
 */
function nameFor(name: string, value: string, { prefix, values }: Vault): string {
  const base = `${prefix}_${formatVariableWord(name)}`.slice(0, NAME_MAX - 4);
  let free = base;
  for (let number = 2; (values.get(free) ?? value) !== value; number += 1)
    free = `${base}_${number}`;
  values.set(free, value);
  return free;
}

function mapEntries(fields: Fields, change: (name: string, value: unknown) => unknown): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, change(name, value)]),
  );
}

function readList(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function readName(entry: Imported['env'][number]): string {
  return typeof entry === 'string' ? entry : entry.name;
}
