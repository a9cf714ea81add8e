/**
 * Translates curl's options into a step. An option that a step cannot express is reported in a note, unless it makes no
 * difference to a check.
 */
import { type FormPart, type ReadPart, readFormPart, readPlainPart } from './curl-form';

export interface Gathered {
  url: string | null;
  method: string | null;
  readonly headers: Map<string, string>;
  /** Name and password from --user or the URL, separated by a colon. */
  user: string | null;
  isDigest: boolean;
  /** The value of --aws-sigv4: `provider:provider:region:service`. */
  awsSigning: string | null;
  /** Default headers of curl that the command removes. */
  readonly unwanted: Set<string>;
  readonly data: string[];
  /** Form fields among the data. Without other data, the body is a form. */
  readonly fields: { readonly name: string; readonly value: string }[];
  readonly parts: FormPart[];
  readonly query: string[];
  isJson: boolean;
  isQuery: boolean;
  isFollowing: boolean;
  timeoutMs: number | null;
  /** null: the command does not require one version. */
  httpVersion: '1.1' | '2' | null;
  readonly notes: string[];
  /** Why the command cannot become a step. null: it can. */
  problem: string | null;
}

/** Short options as their long names. */
export const SHORT: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
  m: 'max-time',
  r: 'range',
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
  K: 'config',
  U: 'proxy-user',
  D: 'dump-header',
  C: 'continue-at',
  y: 'speed-time',
  Y: 'speed-limit',
  z: 'time-cond',
  n: 'netrc',
  ':': 'next',
  ...Object.fromEntries('sSvifgNOJR#46012301Zqjap'.split('').map((letter) => [letter, 'silent'])),
};

/** Options without effect on the request. */
const HARMLESS_WITH_VALUE = words(`output write-out cookie-jar dump-header connect-timeout retry
  retry-delay retry-max-time max-redirs output-dir trace trace-ascii stderr limit-rate rate speed-time
  speed-limit keepalive-time etag-save libcurl parallel-max happy-eyeballs-timeout-ms max-filesize
  create-file-mode expect100-timeout`);
const HARMLESS = words(`silent show-error verbose include fail fail-with-body fail-early compressed
  globoff http1.0 http2 http3 http3-only no-buffer no-progress-meter
  progress-bar remote-name remote-name-all remote-header-name remote-time styled-output trace-time
  trace-ids tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 ipv4 ipv6 path-as-is no-keepalive tcp-nodelay
  tcp-fastopen no-sessionid basic disable create-dirs retry-all-errors retry-connrefused no-alpn
  no-clobber parallel parallel-immediate post301 post302 post303 raw ssl-no-revoke tr-encoding
  suppress-connect-headers skip-existing clobber no-styled-output`);
/** Options for the request that a step cannot express. Each is reported in a note. */
const NOT_CARRIED = words(`cert cert-type key key-type pass cacert capath crlfile proxy proxy-user
  proxy-header proxy1.0 preproxy noproxy socks4 socks4a socks5 socks5-hostname resolve connect-to
  interface local-port unix-socket abstract-unix-socket doh-url dns-servers dns-interface ciphers
  tls13-ciphers curves tls-max pinnedpubkey proto proto-default proto-redir alt-svc hsts netrc-file
  delegation service-name login-options engine request-target etag-compare time-cond
  continue-at config proxy-cacert proxy-cert proxy-key quote telnet-option mail-from mail-rcpt`);

const REFUSED: Readonly<Record<string, string>> = {
  'upload-file': 'A file (--upload-file) cannot be sent by a step: paste its text as --data-raw.',
};

type Take = (found: Gathered, value: string) => void;

export function hasHeader({ headers }: Gathered, name: string): boolean {
  return [...headers.keys()].some((key) => key.toLowerCase() === name);
}

export function setHeader({ headers }: Gathered, name: string, value: string): void {
  const known = [...headers.keys()].find((key) => key.toLowerCase() === name.toLowerCase());
  headers.set(known ?? name, value);
}

function addHeader(found: Gathered, line: string): void {
  const [, name = '', sign, value = ''] = /^([^:;]+)([:;])\s*([\s\S]*)$/.exec(line) ?? [];
  if (line.startsWith('@')) noteFile(found, line.slice(1));
  else if (sign === ':' && value.trim() === '') found.unwanted.add(name.trim().toLowerCase());
  else if (sign !== undefined) setHeader(found, name.trim(), sign === ':' ? value.trim() : '');
}

function noteFile(found: Gathered, name: string): void {
  found.notes.push(
    name === '-'
      ? 'Standard input (@-) was left out: paste it as the body.'
      : `The file ${name} was left out: paste its text as the body.`,
  );
}

function addData(found: Gathered, value: string): void {
  if (value.startsWith('@')) noteFile(found, value.slice(1));
  else found.data.push(value);
}

function addPart(found: Gathered, read: ReadPart | null): void {
  if (read === null) {
    found.problem ??= 'A part of a form (--form) is name=text or name=@file.';
    return;
  }
  const { part, file } = read;
  found.parts.push(part);
  if (file !== null)
    found.notes.push(`The file ${file} was left out: put its content into the part ${part.name}.`);
}

/** A field whose name needs no URL encoding. */
const PLAIN_FIELD = /^([A-Za-z0-9._~-]+)=([\s\S]*)$/;

function addEncoded(found: Gathered, value: string): void {
  found.data.push(...encoded(found, value));
  const [, name, text = ''] = PLAIN_FIELD.exec(value) ?? [];
  if (name !== undefined) found.fields.push({ name, value: text });
}

/** Encodes `text`, `=text` and `name=text`; reports `@file` and `name@file` in a note. */
function encoded(found: Gathered, value: string): readonly string[] {
  const [, name = '', sign = '', text = ''] = /^([^=@]*)([=@])([\s\S]*)$/.exec(value) ?? [];
  if (sign === '@') {
    noteFile(found, text);
    return [];
  }
  if (sign === '') return [encodeURIComponent(value)];
  return [name === '' ? encodeURIComponent(text) : `${name}=${encodeURIComponent(text)}`];
}

const WITH_VALUE: Readonly<Record<string, Take>> = {
  url: (found, value) => takeAddress(found, value),
  request: (found, value) => {
    found.method = value.toUpperCase();
  },
  header: addHeader,
  data: addData,
  'data-ascii': addData,
  'data-binary': addData,
  'data-raw': (found, value) => found.data.push(value),
  'data-urlencode': addEncoded,
  form: (found, value) => addPart(found, readFormPart(value)),
  'form-string': (found, value) => addPart(found, readPlainPart(value)),
  'url-query': (found, value) => {
    found.query.push(...(value.startsWith('+') ? [value.slice(1)] : encoded(found, value)));
  },
  json: (found, value) => {
    found.isJson = true;
    addData(found, value);
  },
  user: (found, value) => {
    if (!value.includes(':')) found.notes.push('The password of --user is missing.');
    const whole = value.includes(':') ? value : `${value}:`;
    found.user = whole;
  },
  'aws-sigv4': (found, value) => {
    found.awsSigning = value;
  },
  'oauth2-bearer': (found, value) => setHeader(found, 'Authorization', `Bearer ${value}`),
  'user-agent': (found, value) => setHeader(found, 'User-Agent', value),
  referer: (found, value) => setHeader(found, 'Referer', value.replace(/;auto$/, '')),
  range: (found, value) => setHeader(found, 'Range', `bytes=${value}`),
  cookie: (found, value) => {
    if (value.includes('=')) setHeader(found, 'Cookie', value);
    else found.notes.push(`Cookies from the file ${value} were left out.`);
  },
  'max-time': (found, value) => {
    const ms = Math.round(Number(value) * 1000);
    if (ms > 0) found.timeoutMs = ms;
  },
};

const WITHOUT_VALUE: Readonly<Record<string, (found: Gathered) => void>> = {
  location: (found) => {
    found.isFollowing = true;
  },
  'location-trusted': (found) => {
    found.isFollowing = true;
  },
  'http1.1': (found) => {
    found.httpVersion = '1.1';
  },
  'http2-prior-knowledge': (found) => {
    found.httpVersion = '2';
  },
  digest: (found) => {
    found.isDigest = true;
  },
  head: (found) => {
    found.method ??= 'HEAD';
  },
  get: (found) => {
    found.isQuery = true;
  },
  insecure: (found) => {
    found.notes.push(
      '--insecure was left out: where it is needed, trust any certificate under TLS.',
    );
  },
};

export function takesValue(option: string): boolean {
  const isKnown = [WITH_VALUE, REFUSED].some((table) => Object.hasOwn(table, option));
  return isKnown || HARMLESS_WITH_VALUE.has(option) || NOT_CARRIED.has(option);
}

export function takeOption(found: Gathered, option: string, value: string): void {
  const take = WITH_VALUE[option];
  if (take !== undefined) take(found, value);
  else if (REFUSED[option] !== undefined) found.problem ??= REFUSED[option];
  else if (!HARMLESS_WITH_VALUE.has(option)) found.notes.push(notCarried(option));
}

export function takeFlag(found: Gathered, option: string): void {
  const take = WITHOUT_VALUE[option];
  if (take !== undefined) take(found);
  else if (!HARMLESS.has(option)) found.notes.push(notCarried(option));
}

/** Keeps the first URL; curl itself would send a request to each. */
export function takeAddress(found: Gathered, address: string): void {
  if (found.url === null) found.url = address;
  else found.notes.push(`A step has one URL: ${address} was left out.`);
}

function notCarried(option: string): string {
  return `--${option} cannot be carried over.`;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
