/**
 * Finds `{{name}}` references in URLs, header values and bodies, and replaces them in one pass. Inserted values are not
 * searched for references, so a response cannot inject references.
 */
import type { JsonValue } from '../../contracts/definition';
import { formatJsonText, isJsonList } from '../../contracts/json';

export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
export const SECRET_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/;
const REFERENCE = /\{\{([^{}]*)\}\}/g;
const SECRET_PREFIX = 'secret:';
const CODE_PREFIX = '$totp:';
/** Matches quoted text between double braces. The text is sent literally, together with the braces. */
const LITERAL = /^\s*'(.*)'\s*$/s;

/** The names in `{{$…}}`. Their values stay the same within a run. */
export const GENERATED_NAMES = ['uuid', 'now', 'runId', 'region'] as const;
export type GeneratedName = (typeof GENERATED_NAMES)[number];

export interface Reference {
  /** The name without `$`, `secret:`, `$totp:` or quotes. A malformed text is unchanged. */
  readonly name: string;
  /** `literal` means that the reference is replaced by its own text in double braces. */
  readonly kind: 'variable' | 'generated' | 'secret' | 'literal' | 'malformed';
  /** True if the current one-time password is inserted. The secret is then the key of the password. */
  readonly isCode?: true;
  /** Offsets in the text, including the braces. `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** The reason why a template could not be filled in. */
export interface TemplateFault {
  readonly code: 'template_error' | 'secret_missing' | 'secret_invalid';
  readonly message: string;
  /** The variable without a value, if that is the reason. */
  readonly missingVariable?: string;
}

export type Rendered<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: TemplateFault };

/** The number of UTF-16 units by which the texts of one request may still grow. */
export interface TemplateBudget {
  left: number;
}

/** Size limit of all texts of one request, after references are replaced. */
export const FILLED_IN_MAX = 1024 * 1024;

export function createTemplateBudget(): TemplateBudget {
  return { left: FILLED_IN_MAX };
}

/** The values that replace references. */
export interface TemplateValues {
  readonly variables: ReadonlyMap<string, JsonValue>;
  readonly generated: Readonly<Record<GeneratedName, string>>;
  readonly secrets: ReadonlyMap<string, string>;
  /**
   * Creates the current one-time password of a key. Returns null if the text is not a key. If absent, one-time
   * passwords are not allowed.
   */
  readonly createCode?: ((key: string) => string | null) | undefined;
  /** Names of variables that are treated like secrets. */
  readonly secretVariables?: ReadonlySet<string> | undefined;
  /** The budget that all texts of a request share. If absent, each text has its own budget. */
  readonly budget?: TemplateBudget;
}

function isGeneratedName(name: string): name is GeneratedName {
  return GENERATED_NAMES.some((known) => known === name);
}

function classify(inner: string): Pick<Reference, 'name' | 'kind' | 'isCode'> {
  const literal = LITERAL.exec(inner)?.[1];
  if (literal !== undefined) return { name: literal, kind: 'literal' };
  const name = inner.trim();
  if (VARIABLE_NAME.test(name)) return { name, kind: 'variable' };
  if (name.startsWith('$') && isGeneratedName(name.slice(1))) {
    return { name: name.slice(1), kind: 'generated' };
  }
  const secretName = name.slice(SECRET_PREFIX.length);
  if (name.startsWith(SECRET_PREFIX) && SECRET_NAME.test(secretName)) {
    return { name: secretName, kind: 'secret' };
  }
  const keyName = name.slice(CODE_PREFIX.length);
  if (name.startsWith(CODE_PREFIX) && SECRET_NAME.test(keyName)) {
    return { name: keyName, kind: 'secret', isCode: true };
  }
  return { name, kind: 'malformed' };
}

/** Returns every `{{…}}` of the text, in order. Spaces inside the braces are allowed. */
export function findReferences(text: string): readonly Reference[] {
  return [...text.matchAll(REFERENCE)].map((match) => ({
    ...classify(match[1] ?? ''),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Renames the secrets in the text's references. */
export function renameSecrets(text: string, names: ReadonlyMap<string, string>): string {
  return text.replaceAll(REFERENCE, (whole, inner: string) => {
    const { kind, name, isCode } = classify(inner);
    const renamed = kind === 'secret' ? names.get(name) : undefined;
    if (renamed === undefined) return whole;
    return `{{${isCode === true ? CODE_PREFIX : SECRET_PREFIX}${renamed}}}`;
  });
}

/** Quotes each `{{…}}`, so that it is sent literally. */
export function quoteBraces(text: string): string {
  return text.replaceAll(REFERENCE, (_whole, inner: string) => `{{'${inner}'}}`);
}

function fault(message: string): { ok: false; fault: TemplateFault } {
  return { ok: false, fault: { code: 'template_error', message } };
}

function lookUp(reference: Reference, values: TemplateValues): Rendered<JsonValue> {
  const { name, kind, isCode } = reference;
  if (kind === 'malformed') return fault(`“{{${name}}}” is not a name that a template can use.`);
  if (kind === 'literal') return { ok: true, value: `{{${name}}}` };
  if (kind === 'generated') {
    return isGeneratedName(name)
      ? { ok: true, value: values.generated[name] }
      : fault(`“{{$${name}}}” is not a generated value.`);
  }
  if (kind === 'secret') {
    const secret = values.secrets.get(name);
    if (secret !== undefined)
      return isCode === true ? lookUpCode(name, secret, values) : { ok: true, value: secret };
    const message = `The secret “${name}” does not exist.`;
    return { ok: false, fault: { code: 'secret_missing', message } };
  }
  const value = values.variables.get(name);
  if (value !== undefined) return { ok: true, value };
  const message = `The variable “${name}” has no value.`;
  return { ok: false, fault: { code: 'template_error', message, missingVariable: name } };
}

function lookUpCode(
  name: string,
  key: string,
  { createCode }: TemplateValues,
): Rendered<JsonValue> {
  const value = createCode?.(key) ?? null;
  if (value !== null) return { ok: true, value };
  const message = `The secret “${name}” is not a key for one-time passwords. It must be base32 or an otpauth:// URL.`;
  return { ok: false, fault: { code: 'secret_invalid', message } };
}

type Encode = (text: string, reference: Reference) => Rendered<string>;

const TOO_LARGE = 'The request is larger than 1 MiB after its variables are filled in.';

/** Subtracts the length of the text from the budget. Returns false if the budget is exceeded. */
function takeBudget(budget: TemplateBudget, text: string): boolean {
  budget.left -= text.length;
  return budget.left >= 0;
}

function fillIn(text: string, values: TemplateValues, encode: Encode): Rendered<string> {
  const budget = values.budget ?? createTemplateBudget();
  const parts: string[] = [];
  let last = 0;
  if (!takeBudget(budget, text)) return fault(TOO_LARGE);
  for (const reference of findReferences(text)) {
    const value = lookUp(reference, values);
    if (!value.ok) return value;
    const encoded = encode(formatJsonText(value.value), reference);
    if (!encoded.ok) return encoded;
    if (!takeBudget(budget, encoded.value)) return fault(TOO_LARGE);
    parts.push(text.slice(last, reference.start), encoded.value);
    last = reference.end;
  }
  parts.push(text.slice(last));
  return { ok: true, value: parts.join('') };
}

/** Replaces each reference. A value that is not a string is inserted as JSON. */
export function renderText(text: string, values: TemplateValues): Rendered<string> {
  return fillIn(text, values, (value) => ({ ok: true, value }));
}

/**
 * Like renderText, but refuses secrets, because all people with read access see the text. `write` formats each inserted
 * value.
 */
export function renderShown(
  text: string,
  values: TemplateValues,
  write: (value: string) => string = String,
): Rendered<string> {
  return fillIn(text, values, (value, reference) =>
    isSecret(reference, values)
      ? fault('A secret can only be used in what is sent.')
      : { ok: true, value: write(value) },
  );
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const HOST_CHARACTERS = /^[\p{L}\p{N}.:[\]_-]*$/u;

function encodePathPart(value: string, name: string): Rendered<string> {
  // URL parsers treat an encoded dot segment like a plain one.
  if (value === '.' || value === '..') {
    return fault(`The variable “${name}” is “${value}”, which would change the path.`);
  }
  if (LONE_SURROGATE.test(value)) return fault(`The variable “${name}” contains broken text.`);
  return { ok: true, value: encodeURIComponent(value) };
}

/**
 * Finds the authority: host, port and credentials. The start is -1 if the URL begins with a reference that contains the
 * authority.
 */
function findAuthority(text: string): { start: number; end: number } {
  const scheme = text.indexOf('://');
  if (scheme === -1 || /[/?#]/.test(text.slice(0, scheme))) return { start: -1, end: -1 };
  const start = scheme + 3;
  const length = text.slice(start).search(/[/?#]/);
  return { start, end: length === -1 ? text.length : start + length };
}

function relativeHint(name: string): string {
  return `It is a relative URL: extract it with resolve: true, and begin the URL with {{${name}}}.`;
}

/** Returns why a URL is invalid if the reference at its start is to blame. Otherwise returns null. */
export function explainRelativeUrl(text: string, rendered: string): string | null {
  const [first] = findReferences(text);
  if (first?.kind !== 'variable' || first.start > 0) return null;
  if (/^[a-z][a-z0-9+.-]*:/i.test(rendered)) return null;
  return `The URL begins with the variable “${first.name}”. ${relativeHint(first.name)}`;
}

function isSecret({ kind, name }: Reference, { secretVariables }: TemplateValues): boolean {
  return kind === 'secret' || (kind === 'variable' && secretVariables?.has(name) === true);
}

/**
 * Replaces each reference. A reference at the very start may be a whole URL, so its value is not encoded. In path,
 * query and fragment, values are percent-encoded. In the host, only host characters are allowed. Secrets are refused,
 * because URLs are logged.
 */
export function renderUrl(text: string, values: TemplateValues): Rendered<string> {
  const authority = findAuthority(text);
  return fillIn(text, values, (value, reference) => {
    if (isSecret(reference, values)) return fault('A URL must not contain a secret.');
    if (reference.start === 0) return { ok: true, value };
    if (reference.start >= authority.end) return encodePathPart(value, reference.name);
    if (HOST_CHARACTERS.test(value)) return { ok: true, value };
    const hint = value.startsWith('/') ? ` ${relativeHint(reference.name)}` : '';
    return fault(`The variable “${reference.name}” cannot be used in a host name.${hint}`);
  });
}

function renderString(text: string, values: TemplateValues): Rendered<JsonValue> {
  const [only, second] = findReferences(text);
  const isOneReference =
    only !== undefined && second === undefined && only.start === 0 && only.end === text.length;
  if (!isOneReference) return renderText(text, values);
  const value = lookUp(only, values);
  const budget = values.budget ?? createTemplateBudget();
  return value.ok && !takeBudget(budget, formatJsonText(value.value)) ? fault(TOO_LARGE) : value;
}

function renderEntries(
  entries: readonly (readonly [string, JsonValue])[],
  values: TemplateValues,
): Rendered<[string, JsonValue][]> {
  const rendered: [string, JsonValue][] = [];
  for (const [name, entry] of entries) {
    const value = renderBody(entry, values);
    if (!value.ok) return value;
    rendered.push([name, value.value]);
  }
  return { ok: true, value: rendered };
}

/**
 * Replaces the references of all strings. A string that is a single reference gets the JSON type of the value. Member
 * names stay unchanged.
 */
export function renderBody(body: JsonValue, values: TemplateValues): Rendered<JsonValue> {
  if (typeof body === 'string') return renderString(body, values);
  if (body === null || typeof body !== 'object') return { ok: true, value: body };
  const rendered = renderEntries(Object.entries(body), values);
  if (!rendered.ok) return rendered;
  return {
    ok: true,
    value: isJsonList(body)
      ? rendered.value.map(([, value]) => value)
      : Object.fromEntries(rendered.value),
  };
}
