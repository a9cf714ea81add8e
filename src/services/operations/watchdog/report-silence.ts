/**
 * Reports to the watchdog's external receiver why the watchdog's workflow cannot report. The API sends this report
 * while Temporal or all orchestrators are unavailable.
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
  /** Returns the milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
}

/**
 * The longest tolerated pause of this process, as a fraction of the watchdog's period. During a longer pause, this
 * process could have missed reports of the workflow.
 */
const PAUSE_PERIODS = 0.5;
const LOOKS_PER_PERIOD = 10;
const PING_DEADLINE_MS = 2_000;

/**
 * Creates a function that looks for a missing report. Calls of this function must not overlap. The age of the latest
 * report is measured by the clock of this process.
 */
export function createSilenceCheck({ everyMs, watchdog, gateway, send, steadyNow }: Needs) {
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
    // Only one reason is reported. Otherwise, two processes that see different faults would report in turns forever.
    if (record.silence !== null || !isSilent(everyMs, seen.atMs, nowMs)) return;
    const isTemporalThere = await gateway.ping(PING_DEADLINE_MS).then(
      () => true,
      () => false,
    );
    const reason = isTemporalThere
      ? 'The orchestrator does not respond.'
      : 'Temporal does not respond.';
    if (!(await watchdog.claimSilence(reason))) return;
    if ((await send(reason)) !== null) await watchdog.forgetSilence();
  };
}

/** Starts looking for missing reports. The returned function stops it. */
export function startSilenceReports(needs: Needs): () => void {
  const look = createSilenceCheck(needs);
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
