/**
 * Reports outside what keeps the watchdog's workflow from its reports: the API lives while Temporal or all
 * orchestrators are away. While the database is away it is silent; the workflow reports that.
 */
import { isSilent } from '../../../domain/operations/watchdog';
import type { WatchdogStore } from '../../../models/operations/watchdog';
import type { WorkflowGateway } from '../../ports/gateway';
import type { SendReport } from './send-report';

interface Needs {
  readonly everyMs: number;
  readonly watchdog: Pick<WatchdogStore, 'read' | 'claimSilence' | 'forgetSilence'>;
  readonly gateway: Pick<WorkflowGateway, 'ping'>;
  readonly send: SendReport;
  /** Milliseconds that only ever grow. */
  readonly steadyNow: () => number;
}

/** A process that has not looked for longer than this knows nothing of the time between. */
const PAUSE_PERIODS = 0.5;
const LOOKS_PER_PERIOD = 10;
const PING_DEADLINE_MS = 2_000;

/** One look at a time: when the last new report was seen is by the clock of this process alone. */
export function createSilenceLook({ everyMs, watchdog, gateway, send, steadyNow }: Needs) {
  let seen: { readonly reportedAtMs: number | null; readonly atMs: number } | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  return async (): Promise<void> => {
    const record = await watchdog.read();
    const nowMs = steadyNow();
    const wasAway = nowMs - lookedAtMs > everyMs * PAUSE_PERIODS;
    lookedAtMs = nowMs;
    const { reportedAtMs } = record;
    if (seen === null || wasAway || seen.reportedAtMs !== reportedAtMs)
      seen = { reportedAtMs, atMs: nowMs };
    if (!isSilent(everyMs, seen.atMs, nowMs)) return;
    const isTemporalThere = await gateway.ping(PING_DEADLINE_MS).then(
      () => true,
      () => false,
    );
    const reason = isTemporalThere
      ? 'The orchestrator does not respond.'
      : 'Temporal does not respond.';
    if (record.silence === reason || !(await watchdog.claimSilence(reason))) return;
    if ((await send(reason)) !== null) await watchdog.forgetSilence();
  };
}

/** Ends with the function that it returns. */
export function keepReportingSilence(needs: Needs): () => void {
  const look = createSilenceLook(needs);
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, needs.everyMs / LOOKS_PER_PERIOD);
  timer.unref();
  return () => clearInterval(timer);
}
