/**
 * What the request of a job says: `/ping/{token}` or `/ping/{token}/{signal}`, by GET, HEAD or POST. It
 * reads Node's own request, since thousands of jobs may report in one second. A text that is too long is
 * cut, never refused.
 */
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { PingKind } from '../../contracts/heartbeat';
import { AppError } from '../../platform/errors';
import { PING_TEXT_MAX, type SentPing } from '../../services/heartbeats/take-ping';
import { readIdempotencyKey } from '../routing/respond-idempotently';

const ADDRESS = /^\/ping\/([^/?]+)(?:\/([^/?]+))?(?:\?(.*))?$/s;
const METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'POST']);
const TOKEN = /^[A-Za-z0-9_-]{1,100}$/;
const RUN_ID = /^[^\p{Cc}]{1,100}$/u;
const KINDS: Readonly<Record<string, PingKind>> = {
  '': 'success',
  start: 'start',
  fail: 'fail',
  log: 'log',
};
const EXIT_CODE = /^(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/;
/** Twice as much as is kept: secrets are taken out before the rest is cut. */
const TAIL_BYTES = 2 * PING_TEXT_MAX;

/** The parts of an address to which jobs report; null for every other. */
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

/** Throws `method_not_allowed`, `not_found`, and what `admit` throws for the token. */
export async function readPing(
  request: IncomingMessage,
  { token, signal, query }: PingAddressParts,
  admit: (token: string) => void,
): Promise<SentPing> {
  if (!METHODS.has(request.method))
    throw new AppError('method_not_allowed', 'Report by GET, HEAD or POST.');
  if (!TOKEN.test(token)) throw nothingHere();
  admit(token);
  const meaning = meaningOf(signal);
  const runId = readRunId(query);
  const onceKey = readIdempotencyKey(request.headers);
  const text = request.method === 'POST' ? await readTail(request) : null;
  return { token, runId, onceKey, text, ...meaning };
}

function meaningOf(signal: string): Pick<SentPing, 'kind' | 'exitCode'> {
  const kind = Object.hasOwn(KINDS, signal) ? KINDS[signal] : undefined;
  if (kind !== undefined) return { kind, exitCode: null };
  if (!EXIT_CODE.test(signal)) throw nothingHere();
  const exitCode = Number(signal);
  return { kind: exitCode === 0 ? 'success' : 'fail', exitCode };
}

function nothingHere(): AppError {
  return new AppError('not_found', 'There is no heartbeat with this token.');
}

function readRunId(query: string): string {
  const { rid } = query === '' ? {} : parse(query);
  if (rid === undefined) return '';
  if (typeof rid === 'string' && RUN_ID.test(rid)) return rid;
  throw new AppError('invalid_query', 'rid must be one text of 1 to 100 characters.', {
    errors: [{ path: 'rid', code: 'invalid_value', message: 'must have 1 to 100 characters' }],
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The end of what is sent, whatever its type; what is no UTF-8 is replaced. The server's time limit ends a body without end. */
async function readTail(request: IncomingMessage): Promise<string> {
  if (!hasBody(request)) return '';
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
  }
  return new TextDecoder('utf-8').decode(tail);
}
