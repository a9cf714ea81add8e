/**
 * Sends the watchdog's reports by POST. The guard of all outgoing requests applies, so reports cannot reach our own
 * servers.
 */
import { createPost } from '../checks/post';
import type { WatchdogOptions } from '../config/watchdog-rows';
import type { Stores } from '../models/stores';
import type { Clock } from '../platform/clock';
import { buildUserAgent } from '../platform/version';
import { createSendReport, type SendReport } from '../services/operations/watchdog/send-report';
import { buildOutgoingOptions } from './outgoing-options';

const TIMEOUT_MS = 5_000;

interface Parts {
  readonly settings: Parameters<typeof buildOutgoingOptions>[0];
  /** The URLs of this installation's own servers, as for `buildOutgoingOptions`. */
  readonly servers: readonly (string | undefined)[];
  readonly stores: Stores;
  readonly clock: Clock;
}

export function createWatchdogSender(
  { url }: WatchdogOptions,
  { settings, servers, stores, clock }: Parts,
): SendReport {
  const post = createPost(buildOutgoingOptions(settings, servers), buildUserAgent(), TIMEOUT_MS);
  return createSendReport({ url, post, stores, nowMs: () => clock.now() });
}
