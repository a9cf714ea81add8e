/**
 * One stream of server-sent events: the changes of an account, and a keep-alive every 15 seconds. It ends when the
 * client is too slow, when its credentials expire, or when the service stops.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSession } from 'better-sse';
import type { LiveChange } from '../../models/operations/changes';
import { AppError, isUnavailable } from '../../platform/errors';
import { toInstant, toInstantOrNull } from '../../services/lists/instants';
import type { ChangeFeed } from '../../services/live/change-feed';
import { onceClosed } from '../server/once-closed';

const KEEP_ALIVE_MS = 15_000;
const RECONNECT_AFTER_MS = 2_000;
const ADMIT_AGAIN_EVERY_MS = 30_000;
/** How many bytes a client may leave unread. This is more than the changes of a large account in an hour. */
const UNREAD_BYTES_MAX = 256 * 1024;

export interface StreamExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Rejects if a request with the same credentials would be refused now. */
  readonly admitAgain: () => Promise<void>;
}

/** Starts the stream, and resolves once it has started. A refusal is thrown before anything is sent. */
export async function streamChanges(
  feed: ChangeFeed,
  accountId: string,
  { request, response, admitAgain }: StreamExchange,
): Promise<void> {
  const early: LiveChange[] = [];
  let push = (change: LiveChange): void => {
    early.push(change);
  };
  const end = (): void => {
    response.end();
  };
  const stopListening = feed.listen(accountId, { onChange: (change) => push(change), onEnd: end });
  onceClosed(response, stopListening);
  const session = await createSession(request, response, {
    // A session that ends before it has begun would never stop its own keep-alives.
    keepAlive: null,
    retry: RECONNECT_AFTER_MS,
  });
  push = (change) => {
    if (!session.isConnected) return;
    session.push(presentChange(change), 'change');
    if (response.writableLength > UNREAD_BYTES_MAX) response.destroy();
  };
  for (const change of early) push(change);
  const keepAlive = setInterval(() => response.write(':\n\n'), KEEP_ALIVE_MS);
  const guard = setInterval(() => void endUnlessAdmitted(admitAgain, end), ADMIT_AGAIN_EVERY_MS);
  onceClosed(response, () => {
    clearInterval(keepAlive);
    clearInterval(guard);
  });
}

/** Builds the event of a change. It includes the state of a check, so that clients need not read the check again. */
function presentChange(change: LiveChange): object {
  if (change.kind !== 'monitor' && change.kind !== 'scenario') return change;
  const { kind, id, check } = change;
  return {
    kind,
    id,
    health: check.health,
    healthSince: toInstant(check.healthSinceMs),
    inMaintenance: check.inMaintenance,
    lastCheckedAt: toInstantOrNull(check.lastCheckedAtMs),
    nextCheckAt: toInstantOrNull(check.nextSlotMs),
    lastResponseTimeMs: check.lastResponseTimeMs,
  };
}

/** Ends the stream if the caller would be refused now. An unavailable database does not end it. */
async function endUnlessAdmitted(admitAgain: () => Promise<void>, end: () => void): Promise<void> {
  try {
    await admitAgain();
  } catch (error) {
    if (error instanceof AppError && !isUnavailable(error)) end();
  }
}
