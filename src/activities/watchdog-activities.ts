/**
 * The calls of the watchdog to the orchestrator, the probes and the senders. The watchdog proves to an external
 * receiver that Keepwatch works.
 */
import { ApplicationFailure } from '@temporalio/activity';
import type { CanaryActivities, WatchdogActivities } from '../contracts/operations/watchdog';
import type { WatchdogStore } from '../models/operations/watchdog';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import type { SendReport } from '../services/operations/watchdog/send-report';
import type { InternalApiClient } from './internal-api-client';

export interface WatchdogDependencies {
  readonly watchdog: Pick<WatchdogStore, 'storeCanary' | 'note'>;
  /** null means that no watchdog is configured. */
  readonly send: SendReport | null;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

export function createWatchdogActivities({
  watchdog,
  send,
  clock,
  logger,
}: WatchdogDependencies): WatchdogActivities {
  return {
    async storeCanary({ slotMs }) {
      const stored = await watchdog.storeCanary(slotMs).catch(() => fail('does not respond'));
      if (stored !== slotMs) fail('does not return what it was given');
    },
    async reportCanary({ reason, isReported }) {
      if (send === null) return false;
      const refusal = isReported ? null : await send(reason);
      if (refusal !== null) logger.warn({ reason, refusal }, 'the watchdog could not report');
      const note = { reason, refusal, atMs: clock.now() };
      // A failure of the database is ignored. The note is only for people, and the external receiver does not need it.
      await watchdog.note(note).catch(() => undefined);
      return refusal === null;
    },
  };
}

/** Creates the canary of a probe. It proves that Temporal reaches the probe and that the API responds to the probe. */
export function createProbeCanary(
  internalApi: Pick<InternalApiClient, 'fetchKeys'>,
): CanaryActivities {
  return {
    async takeCanary() {
      await internalApi.fetchKeys().catch(() => fail('does not reach the API'));
    },
  };
}

/** Proves that a sender can send alerts: only a working sender runs this activity. */
export const senderCanary: CanaryActivities = { takeCanary: async () => undefined };

/** Throws a failure. The message must fit at the end of a sentence. */
function fail(message: string): never {
  throw ApplicationFailure.create({ message, type: 'canary_lost' });
}
