/**
 * Translates the curl options that browsers and API documentation use. Any other option that makes a difference to a
 * check is named in a note.
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
  /** Default headers of curl that the command turns off. */
  readonly unwanted: Set<string>;
  readonly data: string[];
  /** Form fields in the data of the request. If all data consists of such fields, the body is a form. */
  readonly fields: { readonly name: string; readonly value: string }[];
  readonly parts: FormPart[];
  readonly query: string[];
  isJson: boolean;
  isQuery: boolean;
  isFollowing: boolean;
  timeoutMs: number | null;
  /** null means that the command does not require a specific version. */
  httpVersion: '1.1' | '2' | null;
  readonly notes: string[];
  /** Why the command cannot become a step. null if it can. */
  problem: string | null;
}

/** Maps short options to their long names. */
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
  ':': 'next',
  ...Object.fromEntries('sSvifgNOJ#'.split('').map((letter) => [letter, 'silent'])),
};

/** Options that browsers and API documentation use, and that make no difference to a check. */
const HARMLESS = words(`silent show-error verbose include fail fail-with-body compressed globoff
  no-buffer progress-bar remote-name remote-header-name http2 http3 tlsv1.2 tlsv1.3 basic ssl-no-revoke
  output write-out connect-timeout retry max-redirs`);
/** Options that take a value and have no effect here. Their value must not be read as the URL. */
const VALUED = words(`output write-out connect-timeout retry max-redirs retry-delay retry-max-time
  cookie-jar dump-header limit-rate speed-time speed-limit keepalive-time max-filesize output-dir trace
  trace-ascii stderr config time-cond continue-at netrc-file cert cert-type key key-type pass cacert capath
  crlfile ciphers tls13-ciphers curves tls-max pinnedpubkey proxy proxy-user proxy-header preproxy noproxy
  socks4 socks4a socks5 socks5-hostname resolve connect-to interface local-port unix-socket doh-url
  dns-servers dns-interface proto proto-default proto-redir alt-svc hsts login-options engine request-target rate
  happy-eyeballs-timeout-ms expect100-timeout etag-save etag-compare abstract-unix-socket proxy1.0
  proxy-cacert proxy-cert proxy-key delegation service-name quote telnet-option mail-from
  mail-rcpt parallel-max create-file-mode libcurl y Y z t C D K P Q U`);

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

/** Matches a field whose name needs no URL encoding. */
const PLAIN_FIELD = /^([A-Za-z0-9._~-]+)=([\s\S]*)$/;

function addEncoded(found: Gathered, value: string): void {
  found.data.push(...encoded(found, value));
  const [, name, text = ''] = PLAIN_FIELD.exec(value) ?? [];
  if (name !== undefined) found.fields.push({ name, value: text });
}

/**
 * URL-encodes a value as curl does: `text`, `=text` or `name=text`. Leaves out `@file` and `name@file`, and reports
 * them in a note.
 */
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
  'upload-file': (found) => {
    found.problem ??=
      'A file (--upload-file) cannot be sent by a step: paste its text as --data-raw.';
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

function followRedirects(found: Gathered): void {
  found.isFollowing = true;
}

const WITHOUT_VALUE: Readonly<Record<string, Take>> = {
  location: followRedirects,
  'location-trusted': followRedirects,
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
  return Object.hasOwn(WITH_VALUE, option) || VALUED.has(option);
}

/** Handles an option. Every option changes the step, makes no difference to a check, or is named in a note. */
export function takeOption(found: Gathered, option: string, value: string): void {
  const known = { ...WITHOUT_VALUE, ...WITH_VALUE };
  const take = Object.hasOwn(known, option) ? known[option] : undefined;
  if (take !== undefined) take(found, value);
  else if (!HARMLESS.has(option))
    found.notes.push(`${option.length === 1 ? '-' : '--'}${option} is not understood: left out.`);
}

/** Handles a URL. Only the first URL is used, although curl itself would send a request to each. */
export function takeAddress(found: Gathered, address: string): void {
  if (found.url === null) found.url = address;
  else found.notes.push(`A step has one URL: ${address} was left out.`);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
