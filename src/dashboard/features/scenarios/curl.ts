/**
 * A pasted curl command as a step, and a step as a curl command. Pure; what a step can not carry is
 * told in notes instead of being dropped in silence.
 */
import { HTTP_METHODS } from '../../../contracts/definition';
import { shellQuote, shellWords } from './curl-words';
import { type DraftStep, isJson, toDraftStep } from './draft';
import { isBegun } from './draft-body';

export type CurlImport =
  | { readonly ok: true; readonly step: DraftStep; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problem: string };

interface Gathered {
  url: string | null;
  method: string | null;
  readonly headers: Map<string, string>;
  readonly data: string[];
  isQuery: boolean;
  isFollowing: boolean;
  timeoutMs: number | null;
  readonly notes: string[];
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Short options as their long names. */
const SHORT: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
  m: 'max-time',
  L: 'location',
  I: 'head',
  G: 'get',
  F: 'form',
  k: 'insecure',
  o: 'output',
  x: 'proxy',
  T: 'upload-file',
  w: 'write-out',
  E: 'cert',
  c: 'cookie-jar',
};
const IGNORED_WITH_VALUE = new Set([
  'output',
  'write-out',
  'cookie-jar',
  'connect-timeout',
  'retry',
  'retry-delay',
  'max-redirs',
]);
const NOT_CARRIED = new Set([
  'form',
  'form-string',
  'upload-file',
  'cert',
  'key',
  'proxy',
  'resolve',
]);

type Take = (found: Gathered, value: string) => void;

function setHeader({ headers }: Gathered, name: string, value: string): void {
  const known = [...headers.keys()].find((key) => key.toLowerCase() === name.toLowerCase());
  headers.set(known ?? name, value);
}

function takeData(found: Gathered, value: string): void {
  if (value.startsWith('@')) found.notes.push(`The file ${value.slice(1)} was left out.`);
  else found.data.push(value);
}

const WITH_VALUE: Readonly<Record<string, Take>> = {
  url: (found, value) => {
    found.url ??= value;
  },
  request: (found, value) => {
    found.method = value.toUpperCase();
  },
  header: (found, value) => {
    const colon = value.indexOf(':');
    if (colon > 0) setHeader(found, value.slice(0, colon).trim(), value.slice(colon + 1).trim());
  },
  data: takeData,
  'data-ascii': takeData,
  'data-binary': takeData,
  'data-raw': (found, value) => found.data.push(value),
  'data-urlencode': (found, value) => {
    const equals = value.indexOf('=');
    const name = value.slice(0, Math.max(equals, 0));
    const text = encodeURIComponent(value.slice(equals + 1));
    found.data.push(name === '' ? text : `${name}=${text}`);
  },
  json: (found, value) => {
    found.data.push(value);
    setHeader(found, 'Content-Type', 'application/json');
    if (![...found.headers.keys()].some((name) => name.toLowerCase() === 'accept'))
      setHeader(found, 'Accept', 'application/json');
  },
  user: (found, value) => {
    const bytes = new TextEncoder().encode(value);
    const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    setHeader(found, 'Authorization', `Basic ${btoa(binary)}`);
  },
  'user-agent': (found, value) => setHeader(found, 'User-Agent', value),
  referer: (found, value) => setHeader(found, 'Referer', value),
  cookie: (found, value) => setHeader(found, 'Cookie', value),
  'max-time': (found, value) => {
    const ms = Math.round(Number(value) * 1000);
    if (ms > 0) found.timeoutMs = ms;
  },
};

const WITHOUT_VALUE: Readonly<Record<string, (found: Gathered) => void>> = {
  location: (found) => {
    found.isFollowing = true;
  },
  head: (found) => {
    found.method ??= 'HEAD';
  },
  get: (found) => {
    found.isQuery = true;
  },
  insecure: (found) => {
    found.notes.push('Certificates are always checked here: --insecure was left out.');
  },
};

/** The step of a command; its body is JSON where it is JSON. */
export function importCurl(command: string, name: string): CurlImport {
  const words = shellWords(command.trim().replace(/^\$\s+/, ''));
  if (words === null) return { ok: false, problem: 'A quote is not closed.' };
  if (words[0] !== 'curl') return { ok: false, problem: 'The command must begin with curl.' };
  const found: Gathered = {
    url: null,
    method: null,
    headers: new Map(),
    data: [],
    isQuery: false,
    isFollowing: false,
    timeoutMs: null,
    notes: [],
  };
  gather(splitShort(words.slice(1)), found);
  if (found.url === null) return { ok: false, problem: 'The command names no address.' };
  return { ok: true, step: toStep(found, name), notes: [...found.notes, ...secretNotes(found)] };
}

/** `-sSXPOST` → `-s -S -X POST`. */
function splitShort(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    if (!/^-[A-Za-z0-9#]./s.test(word)) return [word];
    const letter = word.charAt(1);
    const long = SHORT[letter];
    const takesValue = long !== undefined && (takesWord(long) || NOT_CARRIED.has(long));
    return takesValue
      ? [`-${letter}`, word.slice(2)]
      : [`-${letter}`, ...splitShort([`-${word.slice(2)}`])];
  });
}

function takesWord(option: string): boolean {
  return option in WITH_VALUE || IGNORED_WITH_VALUE.has(option);
}

function gather(words: readonly string[], found: Gathered): void {
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? '';
    at += 1;
    if (!word.startsWith('-') || word === '-') {
      found.url ??= word;
      continue;
    }
    const option = word.startsWith('--') ? word.slice(2) : (SHORT[word.slice(1)] ?? '');
    if (takesWord(option) || NOT_CARRIED.has(option)) {
      takeOption(found, option, words[at] ?? '');
      at += 1;
      continue;
    }
    WITHOUT_VALUE[option]?.(found);
  }
}

function takeOption(found: Gathered, option: string, value: string): void {
  if (NOT_CARRIED.has(option)) found.notes.push(`--${option} can not be carried over.`);
  else WITH_VALUE[option]?.(found, value);
}

function toStep(found: Gathered, name: string): DraftStep {
  const { headers, data, isQuery, timeoutMs, isFollowing, notes } = found;
  const given = found.url ?? '';
  const base =
    /^[a-z][a-z0-9+.-]*:\/\//i.test(given) || given.startsWith('{{') ? given : `http://${given}`;
  const joined = data.join('&');
  const url = isQuery && joined !== '' ? `${base}${base.includes('?') ? '&' : '?'}${joined}` : base;
  const hasBody = !isQuery && data.length > 0;
  const isJsonBody = hasBody && isJson(joined) && /^\s*[[{]/.test(joined);
  const type = [...headers].find(([key]) => key.toLowerCase() === 'content-type')?.[1];
  if (hasBody && type === undefined && !isJsonBody) headers.set('Content-Type', FORM_TYPE);
  const wanted = found.method ?? (hasBody ? 'POST' : 'GET');
  const method = HTTP_METHODS.find((known) => known === wanted);
  if (method === undefined) notes.push(`The method ${wanted} can not be sent.`);
  return toDraftStep({
    name,
    method: method ?? 'GET',
    url,
    headers: Object.fromEntries(headers),
    ...(hasBody ? { body: isJsonBody ? JSON.parse(joined) : joined } : {}),
    ...(timeoutMs === null ? {} : { timeoutMs }),
    followRedirects: isFollowing,
  });
}

function secretNotes({ headers }: Gathered): readonly string[] {
  return [...headers]
    .filter(
      ([name, value]) => /^(authorization|cookie|x-api-key)$/i.test(name) && !value.includes('{{'),
    )
    .map(([name]) => `${name} may hold a secret: store it and write {{secret:…}} here.`);
}

/** References stay as they are: the command is for reading and for filling in. */
export function toCurl(step: DraftStep): string {
  const { method, url, headers, body, followRedirects, timeoutMs } = step;
  const begun = headers.filter(isBegun);
  const hasType = begun.some(({ name }) => name.toLowerCase() === 'content-type');
  const typed =
    body.mode === 'json' && !hasType
      ? [{ name: 'content-type', value: 'application/json' }, ...begun]
      : begun;
  const lines = [
    `curl${method === 'HEAD' ? ' --head' : ` -X ${method}`} ${shellQuote(url)}`,
    ...(/[{}[\]]/.test(url) ? ['--globoff'] : []),
    ...(followRedirects ? ['--location'] : []),
    ...(timeoutMs === null ? [] : [`--max-time ${timeoutMs / 1000}`]),
    ...typed.map(({ name, value }) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(body.mode === 'none' ? [] : [`--data-raw ${shellQuote(body.text)}`]),
  ];
  return lines.join(' \\\n  ');
}
