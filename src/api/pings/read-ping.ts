/**
 * Reads the ping of a job: `/ping/{token}` or `/ping/{token}/{signal}`, by GET, HEAD or POST. A text that is too long
 * is cut, never refused. Uses Node's request object for speed: thousands of jobs may report within one second.
 */
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { PingKind } from '../../contracts/heartbeat';
import { cutText } from '../../domain/text/cut-text';
import { decodeTail } from '../../domain/text/decode-text';
import { AppError } from '../../platform/errors';
import { PING_TEXT_MAX, type PingHead, type SentPing } from '../../services/heartbeats/take-ping';
import { readIdempotencyKey } from '../routing/respond-idempotently';

/** Trailing slashes are ignored. */
const ADDRESS = /^\/ping\/([^/?]+)(?:\/([^/?]+))?\/*(?:\?(.*))?$/s;
const METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'POST']);
const TOKEN = /^[A-Za-z0-9_-]{1,100}$/;
const RUN_ID = /^[^\p{Cc}]{1,100}$/u;
const KINDS: Readonly<Record<string, PingKind>> = {
  '': 'success',
  start: 'start',
  fail: 'fail',
  log: 'log',
};
/** Windows exit codes have 32 bits and may be negative. */
const EXIT_CODE = /^-?\d{1,10}$/;
/**
 * Bytes that are read from the end of a text: twice the stored size, because secrets are removed before the text is
 * cut.
 */
const TAIL_BYTES = 2 * PING_TEXT_MAX;
/** The length in bytes of the longest byte order mark. */
const MARK_BYTES = 3;
const SIGNAL_SHOWN_MAX = 40;

export interface PingAddressParts {
  readonly token: string;
  readonly signal: string;
  readonly query: string;
}

export function readPingAddress({ url = '' }: IncomingMessage): PingAddressParts | null {
  if (!url.startsWith('/ping/')) return null;
  const [, token, signal = '', query = ''] = ADDRESS.exec(url) ?? [];
  return token === undefined ? null : { token, signal, query };
}

interface ReadPing {
  readonly head: PingHead;
  /** Reads the text of the ping. Call it only after the token was found. null means that the ping has no text. */
  readonly readText: () => Promise<string | null>;
}

/** Reads the ping, but not its text. Throws `method_not_allowed`, `not_found`, and the errors of `admit`. */
export function readPing(
  request: IncomingMessage,
  { token, signal, query }: PingAddressParts,
  admit: (token: string) => void,
): ReadPing {
  if (!METHODS.has(request.method))
    throw new AppError('method_not_allowed', 'Report by GET, HEAD or POST.');
  if (!TOKEN.test(token)) throw unknownToken();
  admit(token);
  const meaning = readMeaning(signal);
  const runId = readRunId(query);
  const onceKey = readIdempotencyKey(request.headers);
  const readText = async () => (request.method === 'POST' ? readTail(request) : null);
  return { head: { token, runId, onceKey, ...meaning }, readText };
}

function readMeaning(signal: string): Pick<SentPing, 'kind' | 'exitCode'> {
  const kind = Object.hasOwn(KINDS, signal) ? KINDS[signal] : undefined;
  if (kind !== undefined) return { kind, exitCode: null };
  if (!EXIT_CODE.test(signal)) throw unknownSignal(signal);
  const exitCode = Number(signal);
  return exitCode === 0 ? { kind: 'success', exitCode: 0 } : { kind: 'fail', exitCode };
}

function unknownToken(): AppError {
  return new AppError('not_found', 'There is no heartbeat with this token.');
}

/** The error does not depend on the token, so it does not reveal whether the token exists. */
function unknownSignal(signal: string): AppError {
  const shown = JSON.stringify(cutText(signal, SIGNAL_SHOWN_MAX));
  return new AppError(
    'not_found',
    `${shown} is not a ping signal. Use start, fail, log or an exit code, or nothing for success.`,
  );
}

function readRunId(query: string): string {
  const { rid } = query === '' ? {} : parse(query);
  if (rid === undefined) return '';
  if (typeof rid === 'string' && RUN_ID.test(rid)) return rid;
  throw new AppError('invalid_query', 'rid must be given once and have 1 to 100 characters.', {
    errors: [{ path: 'rid', code: 'invalid_value', message: 'must have 1 to 100 characters' }],
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Returns the end of the body, decoded with its charset. */
async function readTail(request: IncomingMessage): Promise<string> {
  if (!hasBody(request)) return '';
  let tail: Buffer = Buffer.alloc(0);
  let start: Buffer = Buffer.alloc(0);
  let length = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (start.length < MARK_BYTES) start = Buffer.concat([start, chunk.subarray(0, MARK_BYTES)]);
    tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
  }
  const contentType = request.headers['content-type'] ?? '';
  return decodeTail({ bytes: tail, start, skipped: length - tail.length, contentType });
}
