/** Reports to a heartbeat, with retries for a limited time. Never throws, because the job is more important. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeLimit } from '../../platform/time-limit';
import { CliError, EXIT_CODES, formatReason } from '../cli-error';

export interface Report {
  /** Finds the ping URL. Called for each try, because finding the URL may fail as well. */
  readonly findPingUrl: (signal: AbortSignal) => Promise<string>;
  /** The part appended to the ping URL: `start`, `fail` or an exit code. */
  readonly says: string;
  readonly runId: string;
  readonly text: Buffer | null;
}

export interface Connection {
  readonly userAgent: string;
  readonly send: typeof fetch;
  /** Aborts all tries. */
  readonly signal: AbortSignal;
}

/** Timeout of one try. */
const TRY_MS = 10_000;
const PAUSE_MIN_MS = 1_000;
const PAUSE_MAX_MS = 60_000;

interface Fault {
  readonly reason: string;
  /** True if another try would get the same response, so that retries are pointless. */
  readonly isFinal: boolean;
  readonly retryAfterMs: number;
}

/**
 * Sends the report. Returns null if the ping was accepted, and otherwise the reason for the failure. The pause between
 * tries doubles from about 1 s up to 1 min.
 */
export async function reportPing(report: Report, connection: Connection): Promise<string | null> {
  const { signal } = connection;
  let reason = 'no response in time';
  for (let pauseMs = PAUSE_MIN_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    const fault = await tryOnce(report, connection);
    if (fault === null) return null;
    // If the signal aborted this try, the reason of the previous try is more useful and is kept.
    if (!signal.aborted) reason = fault.reason;
    if (fault.isFinal) return fault.reason;
    // The pause is random, so that jobs do not all retry at the same time.
    const waitMs = Math.max(fault.retryAfterMs, pauseMs * (0.5 + Math.random() / 2));
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
  return reason;
}

async function tryOnce(
  report: Report,
  { userAgent, send, signal }: Connection,
): Promise<Fault | null> {
  const limit = startTimeLimit(TRY_MS, signal);
  try {
    const url = new URL(await report.findPingUrl(limit.signal));
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${report.says}`;
    url.searchParams.set('rid', report.runId);
    const response = await send(url, {
      method: 'POST',
      headers: {
        'user-agent': userAgent,
        'content-type': 'text/plain; charset=utf-8',
        // With this key, the service counts the ping once, even if a response was lost and the ping
        // is sent again.
        'idempotency-key': report.runId,
      },
      ...(report.text !== null && { body: report.text }),
      signal: limit.signal,
    });
    return findFault(response, await response.text());
  } catch (error) {
    const isFinal = error instanceof CliError && error.exitCode !== EXIT_CODES.notReached;
    const isLate = limit.signal.aborted && !signal.aborted;
    const reason = isLate ? `no response within ${TRY_MS / 1_000} s` : formatCause(error);
    return { reason, isFinal, retryAfterMs: 0 };
  } finally {
    limit.clear();
  }
}

/**
 * Returns the fault of a response. null means that the ping was accepted. A refusal such as 404 is final only if the
 * service itself sends it, because a proxy may respond with 404 while the service is being replaced.
 */
function findFault({ ok, status, headers }: Response, body: string): Fault | null {
  if (ok && body.trim() === 'OK') return null;
  const isOurs = headers.get('content-type')?.startsWith('application/problem+json') === true;
  const mayPass = status === 408 || status === 429 || status >= 500;
  const seconds = Number(headers.get('retry-after') ?? 0);
  return {
    reason: ok ? 'the URL is not that of a Keepwatch service' : `the response was ${status}`,
    isFinal: isOurs && !mayPass,
    retryAfterMs: seconds > 0 ? Math.min(seconds * 1_000, PAUSE_MAX_MS) : 0,
  };
}

/** Formats the cause of an error. fetch hides the reason in `cause`. */
function formatCause(error: unknown): string {
  if (error instanceof CliError) return error.message.replace(/\.$/, '');
  const hasCause = typeof error === 'object' && error !== null && 'cause' in error;
  return formatReason(hasCause && error.cause !== undefined ? error.cause : error);
}
