/**
 * Converts a curl command to a step, and back. Parts that a step cannot express are reported in notes. A command that
 * would become a different request is refused.
 */
import { HTTP_METHODS, type RequestBody } from '../../../../contracts/definition';
import { parseJson } from '../../../../contracts/json';
import { type BodyDraft, bodyValue, type PartRow } from '../../../shared/body/body-draft';
import { hasContent } from '../../../shared/form/rows/rows';
import { type DraftStep, toDraftStep } from '../draft/draft';
import { authLines, headerLine, readAuth } from './curl-auth';
import {
  type Gathered,
  hasHeader,
  SHORT,
  setHeader,
  takeAddress,
  takeOption,
  takesValue,
} from './curl-options';
import { readCommandLine, shellQuote } from './curl-words';

export type CurlImport =
  | { readonly ok: true; readonly step: DraftStep; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problem: string };

const FORM_TYPE = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const IS_CURL = /(?:^|[/\\])curl(?:\.exe)?$/;

function refuse(problem: string): CurlImport {
  return { ok: false, problem };
}

/** Converts a command to a step. A body that is valid JSON becomes a JSON body. */
export function importCurl(command: string, name: string): CurlImport {
  const line = readCommandLine(command.trim().replace(/^[$%>]\s+/, ''));
  if (!line.ok) return refuse(line.problem);
  const words = line.words.slice(line.words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word)));
  if (!IS_CURL.test(words[0] ?? '')) return refuse('The command must begin with curl.');
  const found = gather(splitShort(words.slice(1)));
  if (found.problem !== null) return refuse(found.problem);
  if (found.url === null) return refuse('The command has no URL.');
  if (found.parts.length > 0 && found.data.length > 0)
    return refuse(
      'The command sends data (--data) and a form of parts (--form): a step sends one.',
    );
  const method = findMethod(found);
  const known = HTTP_METHODS.find((each) => each === method);
  if (known === undefined) return refuse(`A step cannot send the method ${method}.`);
  const left = line.leftOut.replaceAll(/\s+/g, ' ');
  const notes = [
    ...line.variables.map((each) => `${each} is a variable of the shell: define {{${each}}} here.`),
    ...(left === '' ? [] : [`Left out after the command: ${left.slice(0, 60)}`]),
  ];
  const step = toStep(found, name, known);
  return { ok: true, step, notes: [...new Set([...notes, ...found.notes, ...secretNotes(found)])] };
}

/** Splits combined short options: `-sSXPOST` becomes `-s -S -X POST`. */
function splitShort(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    if (!/^-[A-Za-z0-9#:]./s.test(word)) return [word];
    const letter = word.charAt(1);
    return takesValue(SHORT[letter] ?? letter)
      ? [`-${letter}`, word.slice(2)]
      : [`-${letter}`, ...splitShort([`-${word.slice(2)}`])];
  });
}

function gather(words: readonly string[]): Gathered {
  const found: Gathered = {
    url: null,
    method: null,
    headers: new Map(),
    user: null,
    isDigest: false,
    awsSigning: null,
    unwanted: new Set(),
    data: [],
    fields: [],
    parts: [],
    query: [],
    isJson: false,
    isQuery: false,
    isFollowing: false,
    timeoutMs: null,
    httpVersion: null,
    notes: [],
    problem: null,
  };
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? '';
    at += 1;
    if (!word.startsWith('-') || word === '-') {
      takeAddress(found, word);
      continue;
    }
    const option = word.startsWith('--') ? word.slice(2) : (SHORT[word.slice(1)] ?? word.slice(1));
    if (option === 'next') {
      found.notes.push('A step is one request: what follows --next was left out.');
      return found;
    }
    takeOption(found, option, words[at] ?? '');
    if (takesValue(option)) at += 1;
  }
  return found;
}

function findMethod({ method, isQuery, data, parts }: Gathered): string {
  const isSent = parts.length > 0 || (data.length > 0 && !isQuery);
  return method ?? (isSent ? 'POST' : 'GET');
}

function toStep(found: Gathered, name: string, method: string): DraftStep {
  const { headers, timeoutMs, httpVersion, isFollowing } = found;
  const url = buildUrl(found);
  const auth = readAuth(found);
  const sent = sentBy(found);
  if (found.isJson && !hasHeader(found, 'accept')) setHeader(found, 'Accept', JSON_TYPE);
  return toDraftStep({
    name,
    method,
    url,
    headers: Object.fromEntries(headers),
    ...auth,
    ...sent,
    ...(timeoutMs === null ? {} : { timeoutMs }),
    httpVersion,
    followRedirects: isFollowing,
  });
}

/** Returns the body. If the body needs a content type, adds the header to `found`. */
function sentBy(found: Gathered): Partial<Record<keyof RequestBody, unknown>> {
  if (found.parts.length > 0) return { multipart: buildParts(found) };
  if (found.isQuery || found.data.length === 0) return {};
  const form = buildForm(found);
  if (form !== null) return { form };
  const body = buildBody(found);
  if (!found.unwanted.has('content-type')) addType(found, body);
  return { body };
}

/** Converts the parts. Removes Content-Type headers, because the service sets its own boundary in this header. */
function buildParts({ parts, headers, notes }: Gathered) {
  for (const name of [...headers.keys()].filter((each) => /^content-type$/i.test(each))) {
    headers.delete(name);
    notes.push('The Content-Type of a form of parts is set by the service.');
  }
  return parts.map(({ name, value, isFile, fileName, contentType }) => ({
    name,
    ...(isFile ? { base64: '' } : { value }),
    ...(fileName === '' ? {} : { fileName }),
    ...(contentType === '' ? {} : { contentType }),
  }));
}

/**
 * Converts the data to a form. null means that the data is not a form, that a name occurs twice, or that another
 * content type is set.
 */
function buildForm(found: Gathered): Readonly<Record<string, string>> | null {
  const { data, fields, headers, unwanted } = found;
  const names = new Set(fields.map(({ name }) => name));
  const types = [...headers].filter(([name]) => name.toLowerCase() === 'content-type');
  const isTyped = unwanted.has('content-type') || types.some(([, type]) => type !== FORM_TYPE);
  if (isTyped || names.size < data.length) return null;
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}

/**
 * Adds the content type if the command sets none: JSON for JSON text, and otherwise the form type that curl sends by
 * default.
 */
function addType(found: Gathered, body: unknown): void {
  if (hasHeader(found, 'content-type')) return;
  if (found.isJson) setHeader(found, 'Content-Type', JSON_TYPE);
  else if (typeof body === 'string')
    setHeader(
      found,
      'Content-Type',
      /^\s*[[{]/.test(body) && parseJson(body) !== undefined ? JSON_TYPE : FORM_TYPE,
    );
}

/**
 * Returns a JSON object or list as a parsed value, and any other body as text. JSON stays text, too, if it contains an
 * integer that is too large for an exact JSON number.
 */
function buildBody({ data, unwanted, isJson: isJoined }: Gathered): unknown {
  const text = data.join(isJoined ? '' : '&');
  const isValue =
    /^\s*[[{]/.test(text) && parseJson(text) !== undefined && !unwanted.has('content-type');
  const numbers = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d{16,}/g) ?? [];
  const isExact = numbers.every((number) => String(BigInt(number)) === String(Number(number)));
  return isValue && isExact ? JSON.parse(text) : text;
}

/** Builds the URL with its scheme and the data that -G moves into the query. Leaves out user name and password. */
function buildUrl(found: Gathered): string {
  const given = found.url ?? '';
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) || given.startsWith('{{');
  const whole = hasScheme ? given : `http://${given}`;
  const [, scheme = '', user = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*)@/i.exec(whole) ?? [];
  if (user !== '') found.user ??= unescaped(user);
  const base = scheme === '' ? whole : `${scheme}${whole.slice(scheme.length + user.length + 1)}`;
  const added = [...(found.isQuery ? found.data : []), ...found.query].join('&');
  if (added === '') return base;
  const [beforeHash = '', ...fragment] = base.split('#');
  const joined = `${beforeHash}${beforeHash.includes('?') ? '&' : '?'}${added}`;
  return [joined, ...fragment].join('#');
}

function unescaped(user: string): string {
  const whole = user.includes(':') ? user : `${user}:`;
  try {
    return decodeURIComponent(whole);
  } catch {
    return whole;
  }
}

function secretNotes({ headers }: Gathered): readonly string[] {
  return [...headers]
    .filter(
      ([name, value]) => /^(authorization|cookie|x-api-key)$/i.test(name) && !value.includes('{{'),
    )
    .map(([name]) => `${name} may hold a secret: store it and write {{secret:…}} here.`);
}

/** Converts a step to a curl command. References stay as they are, because people read the command and fill them in. */
export function toCurl(step: DraftStep): string {
  const { method, url, headers, auth, body, followRedirects, timeoutMs, httpVersion } = step;
  const filled = headers.filter(hasContent);
  const hasType = filled.some(({ name }) => name.toLowerCase() === 'content-type');
  const lines = [
    `curl${method === 'HEAD' ? ' --head' : ` -X ${method}`} ${shellQuote(url)}`,
    ...(/[{}[\]]/.test(url) ? ['--globoff'] : []),
    ...(followRedirects ? ['--location'] : []),
    ...(timeoutMs === null ? [] : [`--max-time ${timeoutMs / 1000}`]),
    ...(httpVersion === '1.1' ? ['--http1.1'] : []),
    ...(httpVersion === '2' ? ['--http2-prior-knowledge'] : []),
    ...filled.map(({ name, value }) => `-H ${shellQuote(headerLine(name, value))}`),
    ...authLines(auth),
    ...bodyLines(body, hasType),
  ];
  return lines.join(' \\\n  ');
}

/**
 * Returns the options for the body. A step sends text without a content type, so the command removes curl's default
 * type.
 */
function bodyLines(body: BodyDraft, hasType: boolean): readonly string[] {
  const { mode, text, form, parts } = body;
  if (mode === 'none') return [];
  if (mode === 'form')
    return form
      .filter(hasContent)
      .map(({ name, value }) => `--data-urlencode ${shellQuote(`${name}=${value}`)}`);
  if (mode === 'multipart') return parts.map(partLine);
  const type = mode === 'text' ? 'content-type:' : `content-type: ${JSON_TYPE}`;
  const sent = mode === 'graphql' ? JSON.stringify(bodyValue(body)) : text;
  return [...(hasType ? [] : [`-H ${shellQuote(type)}`]), `--data-raw ${shellQuote(sent)}`];
}

/**
 * Returns the option for a part. Bytes are replaced by the name of a file, because the command line cannot contain
 * them.
 */
function partLine({ name, value, isBytes, fileName }: PartRow): string {
  return isBytes || fileName !== ''
    ? `-F ${shellQuote(`${name}=@${fileName || 'file'}`)}`
    : `--form-string ${shellQuote(`${name}=${value}`)}`;
}
