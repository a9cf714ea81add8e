/**
 * Where jobs report: `/ping/{token}`, by GET, HEAD or POST. The token is the only key; what is known of
 * a heartbeat is not told here, and a text that is too long is cut, never refused.
 */
import { type Request, type Response, Router } from 'express';
import type { PingKind } from '../../contracts/heartbeat';
import { AppError } from '../../platform/errors';
import { createBell } from '../../services/heartbeats/ring-heartbeats';
import { PING_TEXT_MAX, takePing } from '../../services/heartbeats/take-ping';
import type { Dependencies } from '../../services/ports/dependencies';
import { readIdempotencyKey } from '../routing/respond-idempotently';
import { createPingPace } from './ping-pace';

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

export function createPingRouter(services: Dependencies): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const bell = createBell(services);
  const pace = createPingPace();
  const take = async (request: Request, response: Response): Promise<void> => {
    response.locals['route'] = '/ping/:token';
    if (!['GET', 'HEAD', 'POST'].includes(request.method)) {
      response.set('Allow', 'GET, HEAD, POST');
      throw new AppError('method_not_allowed', 'Report by GET, HEAD or POST.');
    }
    const { token, signal } = readPath(request);
    pace.admit(token, services.clock.now());
    const meaning = meaningOf(signal);
    const runId = readRunId(request);
    const onceKey = readIdempotencyKey(request.headers);
    const text = request.method === 'POST' ? await readTail(request) : null;
    bell.ring(await takePing(services, { token, runId, onceKey, text, ...meaning }));
    response.set('Cache-Control', 'no-store').type('text/plain').send('OK\n');
  };
  router.all('/ping/:token', take);
  router.all('/ping/:token/:signal', take);
  return router;
}

function readPath({ params }: Request): { readonly token: string; readonly signal: string } {
  const { token, signal = '' } = params;
  if (typeof token !== 'string' || typeof signal !== 'string' || !TOKEN.test(token))
    throw nothingHere();
  return { token, signal };
}

function meaningOf(signal: string): { readonly kind: PingKind; readonly exitCode: number | null } {
  const kind = Object.hasOwn(KINDS, signal) ? KINDS[signal] : undefined;
  if (kind !== undefined) return { kind, exitCode: null };
  if (!EXIT_CODE.test(signal)) throw nothingHere();
  const exitCode = Number(signal);
  return { kind: exitCode === 0 ? 'success' : 'fail', exitCode };
}

function nothingHere(): AppError {
  return new AppError('not_found', 'There is no heartbeat with this token.');
}

function readRunId({ query }: Request): string {
  const { rid } = query;
  if (rid === undefined) return '';
  if (typeof rid === 'string' && RUN_ID.test(rid)) return rid;
  throw new AppError('invalid_query', 'rid must be one text of 1 to 100 characters.', {
    errors: [{ path: 'rid', code: 'invalid_value', message: 'must have 1 to 100 characters' }],
  });
}

/** The end of what is sent, whatever its type; what is no UTF-8 is replaced. The server's time limit ends a body without end. */
async function readTail(request: Request): Promise<string> {
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
  }
  return new TextDecoder('utf-8').decode(tail);
}
