/** Compares two results: status, IP address, certificate, headers and body. Pure. */
import { parseJson } from '../../../contracts/json';
import type { Result } from '../data/api-types';
import { absolute } from '../text/time-text';
import { valueText } from './measured';

export interface Difference {
  readonly part: 'Status' | 'IP address' | 'Certificate' | 'Header' | 'Body';
  /** The name of a header, a fact of the certificate, or the JSON path of a value. Empty if a whole part is compared, like the status. */
  readonly name: string;
  /** null if the header or value was absent. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Headers that differ in nearly every response, and are therefore not compared. */
const VOLATILE = new Set(['date', 'age', 'expires', 'x-request-id', 'cf-ray', 'etag']);
const DIFFERENCES_MAX = 200;

type Response = Result['response'];
type Compared = Pick<Result, 'response' | 'tls'>;

/** Lists at most 200 differences from `before` to `after`. */
export function findDifferences(before: Compared, after: Compared): readonly Difference[] {
  const [was, is] = [before.response, after.response];
  return [
    ...changed('Status', '', formatValue(was?.status), formatValue(is?.status)),
    ...ipDifference(was, is),
    ...certificateDifferences(before.tls, after.tls),
    ...headerDifferences(was, is),
    ...bodyDifferences(was?.bodyPreview ?? null, is?.bodyPreview ?? null),
  ].slice(0, DIFFERENCES_MAX);
}

function formatValue(value: unknown): string | null {
  return value === undefined ? null : valueText(value);
}

function changed(
  part: Difference['part'],
  name: string,
  ...[before, after]: readonly [string | null, string | null]
): readonly Difference[] {
  return before === after ? [] : [{ part, name, before, after }];
}

/** Compares the IP addresses. If an address is unknown, there is no difference. */
function ipDifference(before: Response, after: Response): readonly Difference[] {
  const [left = null, right = null] = [before?.remoteIp, after?.remoteIp];
  return left === null || right === null ? [] : changed('IP address', '', left, right);
}

/** Compares the certificates and TLS versions. If a fact is unknown, there is no difference. */
function certificateDifferences(
  before: Result['tls'],
  after: Result['tls'],
): readonly Difference[] {
  if (before === null || after === null) return [];
  const compare = (name: string, find: (tls: NonNullable<Result['tls']>) => string | null) => {
    const [left, right] = [find(before), find(after)];
    return left === null || right === null ? [] : changed('Certificate', name, left, right);
  };
  return [
    ...compare('issuer', ({ issuer }) => issuer),
    ...compare('expiry', ({ expiresAt }) => expiresAt && absolute(expiresAt)),
    ...compare('trust', ({ trusted }) => (trusted ? 'trusted' : 'not trusted')),
    ...compare('host', ({ forHost }) => formatForHost(forHost)),
    ...compare('version', ({ version }) => version),
  ];
}

function formatForHost(forHost: boolean | undefined): string | null {
  if (forHost === undefined) return null;
  return forHost ? 'valid for the host' : 'not valid for the host';
}

/** Compares the headers. Empty if the headers of a response were not stored. */
function headerDifferences(before: Response, after: Response): readonly Difference[] {
  if (before?.headers == null || after?.headers == null) return [];
  const [left, right] = [joinHeaders(before.headers), joinHeaders(after.headers)];
  const names = [...new Set([...left.keys(), ...right.keys()])].toSorted();
  return names
    .filter((name) => !VOLATILE.has(name))
    .flatMap((name) => changed('Header', name, left.get(name) ?? null, right.get(name) ?? null));
}

function joinHeaders(
  lines: readonly { readonly name: string; readonly value: string }[],
): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const { name, value } of lines) {
    const key = name.toLowerCase();
    const other = headers.get(key);
    headers.set(key, other === undefined ? value : `${other}, ${value}`);
  }
  return headers;
}

/** Compares the bodies: value by value if both are JSON, and otherwise as a whole. Empty if a body was not stored. */
function bodyDifferences(before: string | null, after: string | null): readonly Difference[] {
  if (before === null || after === null || before === after) return [];
  const [left, right] = [parseJson(before), parseJson(after)];
  if (left === undefined || right === undefined) return changed('Body', '', before, after);
  const found: Difference[] = [];
  compare(left, right, { path: '$', found });
  return found;
}

interface Walk {
  readonly path: string;
  readonly found: Difference[];
}

function compare(left: unknown, right: unknown, { path, found }: Walk): void {
  if (found.length >= DIFFERENCES_MAX) return;
  if (!isBranch(left) || !isBranch(right) || Array.isArray(left) !== Array.isArray(right)) {
    found.push(...changed('Body', path, shownText(left), shownText(right)));
    return;
  }
  const isList = Array.isArray(left);
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const within = { path: isList ? `${path}[${key}]` : `${path}.${key}`, found };
    compare(Reflect.get(left, key), Reflect.get(right, key), within);
  }
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function shownText(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
