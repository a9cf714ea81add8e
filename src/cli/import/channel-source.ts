/**
 * One notification of another tool, while it becomes a channel: what may stand in a file, and what must
 * not. A value that gives access never reaches the file; a note names the secret or variable to set.
 */
import { hasMark } from './environment-marks';
import { type Fields, type NoteTaker, saysSomething } from './imported';

export interface ChannelSource {
  /** Of the channel. */
  readonly key: string;
  readonly note: (message: string) => void;
  /** A text that the file may hold; null without one. Numbers count as texts. */
  readonly text: (from: string) => string | null;
  /** As text; it is a fault that there is none. */
  readonly required: (from: string) => string;
  /** A whole number; null for anything else. */
  readonly count: (from: string) => number | null;
  /** Parts of texts that commas part, those of all fields, each once. */
  readonly list: (...from: readonly string[]) => readonly string[];
  /** A reference to a secret of the service in place of the value; it is a fault that there is none. */
  readonly secret: (from: string, field: string) => string;
  /** A variable of the environment in place of a URL that is a secret as a whole. */
  readonly address: (from: string, field: string) => string;
  /** References to secrets in place of the values, whatever they are. */
  readonly headers: (given: unknown) => Fields;
  /** Fields that need no note of their own. */
  readonly pass: (...from: readonly string[]) => void;
}

/** What its type makes of it, without key and name. */
export type ReadChannel = (source: ChannelSource) => Fields;

/** Words for the kinds of channels, which no channel may have as its key. */
export const CHANNEL_WORDS =
  'default email slack webhook pagerduty jira teams discord telegram ntfy gotify pushover twilio googlechat mattermost apprise'.split(
    ' ',
  );

interface Origin extends NoteTaker {
  readonly config: Fields;
  /** Where the fields stand in the file. */
  readonly path: string;
  readonly key: string;
  /** How a text of the file names a variable of the environment. */
  readonly variable: (name: string) => string;
}

/**
 * The channel, or null where a field is missing; every missing one is noted with its path, and every one
 * that says something and was not read by its name.
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
      (name) => !seen.has(name) && saysSomething(origin.config[name]),
    );
    if (strays.length > 0)
      note(`${strays.join(', ')} ${strays.length === 1 ? 'has' : 'have'} no counterpart`);
    for (const message of problems) origin.note(message);
    return fields;
  }
  const paths = [...missing].map((name) => `${origin.path}.${name}`).join(', ');
  const verb = missing.size === 1 ? 'is' : 'are';
  origin.note(`cannot be taken over: ${paths} ${verb} missing`);
  return null;
}

interface Reading {
  readonly missing: Set<string>;
  /** Fields that were looked at. */
  readonly seen: Set<string>;
}

function createSource(origin: Origin, { missing, seen }: Reading): ChannelSource {
  const { config, key, note, variable } = origin;
  const prefix = wordOf(key).replace(/^(?=\d)/, 'CHANNEL_');
  const text = (from: string): string | null => textOf(config[from]);
  const required = (from: string): string => {
    const found = text(from);
    if (found === null) missing.add(from);
    return found ?? '';
  };
  const secretNamed = (name: string): string => {
    note(`has a secret that is not taken over: set the secret ${name}`);
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
      const parts = from.flatMap((name) => partsOf(config[name]));
      if (parts.length === 0) missing.add(from[0] ?? '');
      return [...new Set(parts)];
    },
    secret: (from, field) => {
      const named = VARIABLE.exec(required(from))?.[1];
      return missing.has(from) ? '' : secretNamed(named ?? `${prefix}_${field}`);
    },
    address: (from, field) => {
      const given = required(from);
      if (missing.has(from) || VARIABLE.test(given) || hasMark(given)) return given;
      const name = `${prefix}_${field}`;
      note(`has a URL that is a secret: set ${name} in the environment when you apply`);
      return variable(name);
    },
    headers: (given) =>
      Object.fromEntries(
        namesOf(given).map((name) => [name, secretNamed(`${prefix}_${wordOf(name)}`)]),
      ),
    pass: (...from) => {
      for (const name of from) seen.add(name);
    },
  };
}

/** The URL of a server without its user, who is none of a file. */
export function withoutUser(url: string, { note }: NoteTaker): string {
  const bare = url.replace(/^(https?:\/\/)[^/?#@]*@/i, '$1');
  if (bare !== url)
    note('has a user in its URL, which is left out: set its token or secret instead');
  return bare;
}

/** All of a text is a variable of the environment already. */
const VARIABLE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

export function wordOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function partsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(partsOf);
  return (textOf(value) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function namesOf(headers: unknown): readonly string[] {
  const isRecord = typeof headers === 'object' && headers !== null && !Array.isArray(headers);
  return isRecord ? Object.keys(headers) : [];
}

/** Another address of the same API; absent where it is the usual one. */
export function apiUrlOf(given: string | null, usual: string): Fields {
  if (given === null) return {};
  if (VARIABLE.test(given)) return { apiUrl: given };
  if (!URL.canParse(given)) return {};
  const { origin } = new URL(given);
  return origin === usual ? {} : { apiUrl: origin };
}
