/**
 * Converts one notification of another tool to a channel. Credentials are never written to the file. Instead, a note
 * names the secret or variable to set.
 */
import { hasPlaceholder } from './environment-placeholders';
import { type Fields, hasMeaning, type NoteTaker } from './imported';

export interface ChannelSource {
  /** The key of the channel. Names of secrets start with it. */
  readonly key: string;
  readonly note: (message: string) => void;
  /** Returns the value as text that may be written to the file. Numbers are converted. null if there is no value. */
  readonly text: (from: string) => string | null;
  /** Returns the value like `text`, but reports a missing value as a problem. */
  readonly required: (from: string) => string;
  /** Returns a whole number, or null for any other value. */
  readonly count: (from: string) => number | null;
  /** Splits all given fields at commas, and returns the parts without duplicates. */
  readonly list: (...from: readonly string[]) => readonly string[];
  /** Returns a reference to a secret of the service instead of the value. A missing value is reported as a problem. */
  readonly secret: (from: string, field: string) => string;
  /**
   * Returns a reference to an environment variable instead of the URL. Used for URLs in which any part may be secret.
   */
  readonly address: (from: string, field: string) => string;
  /** Returns the headers with references to secrets instead of the values. */
  readonly headers: (given: unknown) => Fields;
  /** Marks fields as handled, so that no note reports them. */
  readonly pass: (...from: readonly string[]) => void;
}

/** Reads the fields of one channel type, except for the key and the name. */
export type ReadChannel = (source: ChannelSource) => Fields;

/** Words that cannot be keys of channels, because definitions use them for other purposes. */
export const CHANNEL_WORDS =
  'default email slack webhook pagerduty jira teams discord telegram ntfy gotify pushover twilio googlechat mattermost apprise'.split(
    ' ',
  );

interface Origin extends NoteTaker {
  readonly config: Fields;
  /** The path of the fields in the file. */
  readonly path: string;
  readonly key: string;
  /** Returns the text that represents an environment variable in the file. */
  readonly variable: (name: string) => string;
}

/**
 * Returns the channel, and writes a note about every field that was not read. null means that a required field is
 * missing; a note names every missing field.
 */
export function readChannel(read: ReadChannel, origin: Origin): Fields | null {
  const missing = new Set<string>();
  const seen = new Set<string>();
  const problems: string[] = [];
  const note = (message: string) => problems.push(message);
  const config = new Proxy(origin.config, {
    get: (target, name) => {
      seen.add(String(name));
      return Reflect.get(target, name);
    },
  });
  const fields = read(createSource({ ...origin, config, note }, { missing, seen }));
  if (missing.size === 0) {
    const strays = Object.keys(origin.config).filter(
      (name) => !seen.has(name) && hasMeaning(origin.config[name]),
    );
    if (strays.length > 0)
      note(`${strays.join(', ')} ${strays.length === 1 ? 'has' : 'have'} no counterpart`);
    for (const message of problems) origin.note(message);
    return fields;
  }
  const paths = [...missing].map((name) => `${origin.path}.${name}`).join(', ');
  const verb = missing.size === 1 ? 'is' : 'are';
  origin.note(`cannot be imported: ${paths} ${verb} missing`);
  return null;
}

interface Reading {
  readonly missing: Set<string>;
  /** The names of the fields that were read. */
  readonly seen: Set<string>;
}

function createSource(origin: Origin, { missing, seen }: Reading): ChannelSource {
  const { config, key, note, variable } = origin;
  const prefix = formatVariableWord(key).replace(/^(?=\d)/, 'CHANNEL_');
  const text = (from: string): string | null => readText(config[from]);
  const required = (from: string): string => {
    const found = text(from);
    if (found === null) missing.add(from);
    return found ?? '';
  };
  const secretNamed = (name: string): string => {
    note(`has a secret that is not imported: set the secret ${name}`);
    return `{{secret:${name}}}`;
  };
  return {
    key,
    note,
    text,
    required,
    count: (from) => {
      const number = Number(text(from) ?? Number.NaN);
      return Number.isInteger(number) ? number : null;
    },
    list: (...from) => {
      const parts = from.flatMap((name) => splitParts(config[name]));
      if (parts.length === 0) missing.add(from[0] ?? '');
      return [...new Set(parts)];
    },
    secret: (from, field) => {
      const named = VARIABLE.exec(required(from))?.[1];
      return missing.has(from) ? '' : secretNamed(named ?? `${prefix}_${field}`);
    },
    address: (from, field) => {
      const given = required(from);
      if (missing.has(from) || VARIABLE.test(given) || hasPlaceholder(given)) return given;
      const name = `${prefix}_${field}`;
      note(`has a URL that is a secret: set ${name} in the environment when you apply`);
      return variable(name);
    },
    headers: (given) =>
      Object.fromEntries(
        listNames(given).map((name) => [
          name,
          secretNamed(`${prefix}_${formatVariableWord(name)}`),
        ]),
      ),
    pass: (...from) => {
      for (const name of from) seen.add(name);
    },
  };
}

export function withoutUser(url: string, { note }: NoteTaker): string {
  const bare = url.replace(/^(https?:\/\/)[^/?#@]*@/i, '$1');
  if (bare !== url)
    note('has a user in its URL, which is left out: set its token or secret instead');
  return bare;
}

/** Matches a text that consists of exactly one environment variable. */
const VARIABLE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

export function formatVariableWord(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

function readText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function splitParts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(splitParts);
  return (readText(value) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function listNames(headers: unknown): readonly string[] {
  const isRecord = typeof headers === 'object' && headers !== null && !Array.isArray(headers);
  return isRecord ? Object.keys(headers) : [];
}

/** Returns `apiUrl` if the URL of the API is an environment variable, or differs from the usual one. */
export function importApiUrl(given: string | null, usual: string): Fields {
  if (given === null) return {};
  if (VARIABLE.test(given)) return { apiUrl: given };
  if (!URL.canParse(given)) return {};
  const { origin } = new URL(given);
  return origin === usual ? {} : { apiUrl: origin };
}
