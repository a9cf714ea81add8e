/** Describes the state of the watchdog for operators of the installation. Pages, metrics and doctor show it. */
import { isSilent } from '../../../domain/operations/watchdog';
import type { Stores } from '../../../models/stores';
import type { WatchdogFacts } from '../../../schemas/responses/operator';
import { toInstant } from '../../lists/instants';
import type { Dependencies } from '../../ports/dependencies';

type Needs = Pick<Dependencies, 'clock' | 'watchdog'> & {
  readonly stores: { readonly watchdog: Pick<Stores['watchdog'], 'read'> };
};

/** Returns the state. null if no watchdog is set. */
export async function describeWatchdog({
  stores,
  clock,
  watchdog,
}: Needs): Promise<WatchdogFacts | null> {
  if (watchdog === null) return null;
  const record = await stores.watchdog.read();
  const { maskedUrl: url, requires, everyMs } = watchdog;
  const { reportedAtMs, lastPingAtMs, sinceMs } = record;
  const known = {
    url,
    requires: [...requires],
    everySeconds: everyMs / 1_000,
    lastPingAt: lastPingAtMs === null ? null : toInstant(lastPingAtMs),
    since: sinceMs === null ? null : toInstant(sinceMs),
  };
  if (record.silence !== null) return { ...known, state: 'failing', reason: record.silence };
  if (reportedAtMs === null) return { ...known, state: 'waiting', reason: null };
  if (isSilent(everyMs, reportedAtMs, clock.now()))
    return { ...known, state: 'failing', reason: 'No canary was sent.' };
  if (record.refusal !== null)
    return { ...known, state: 'unreported', reason: `${capitalised(record.refusal)}.` };
  return { ...known, state: record.reason === null ? 'healthy' : 'failing', reason: record.reason };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
