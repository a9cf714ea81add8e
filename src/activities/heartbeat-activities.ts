/**
 * Reads what the workflow of a heartbeat needs: pings, periods in which the API could not receive pings, and the next
 * due time of a cron schedule.
 */
import type {
  HeartbeatActivities,
  HeartbeatSchedule,
  Ping,
  PingQuestion,
  PingsRead,
} from '../contracts/heartbeat';
import type { StoredPing } from '../models/heartbeats/pings';
import type { Stores } from '../models/stores';
import { findNextDue } from '../schemas/cron-times';
import { nameDatabaseFailure } from './name-database-failure';

/** Maximum number of pings in one read. It is small because each ping may contain 10 KiB of text. */
const PINGS_MAX = 10;
const OUTAGES_MAX = 50;

export function createHeartbeatActivities(
  stores: Pick<Stores, 'pings' | 'serviceUptime'>,
): HeartbeatActivities {
  return {
    readPings: (question) => nameDatabaseFailure(() => readPings(stores, question)),
  };
}

async function readPings(
  { pings, serviceUptime }: Pick<Stores, 'pings' | 'serviceUptime'>,
  { accountId, monitorId, done, schedule, earlyMs, dueAfterMs, absentAfterMs }: PingQuestion,
): Promise<PingsRead> {
  await pings.noteJudged(accountId, done);
  // The uptime must be read first. The read of pings then finds every ping that arrived before `lastAtMs`.
  const { lastAtMs, absences } = await serviceUptime.read();
  const waiting = await pings.listWaiting(accountId, monitorId, PINGS_MAX + 1);
  return {
    pings: waiting.slice(0, PINGS_MAX).map((ping) => toPing(ping, schedule, earlyMs)),
    hasMore: waiting.length > PINGS_MAX,
    absences: absences.filter(({ toMs }) => toMs > absentAfterMs).slice(-OUTAGES_MAX),
    presentAtMs: lastAtMs ?? 0,
    nextDueMs: dueAfter(schedule, dueAfterMs),
  };
}

function toPing(ping: StoredPing, schedule: HeartbeatSchedule, earlyMs: number): Ping {
  const { id, atMs, kind, exitCode, runId, failedOn } = ping;
  const isFailure = kind === 'fail' || failedOn !== null || (exitCode ?? 0) !== 0;
  return {
    id,
    atMs,
    kind,
    exitCode,
    runId,
    failedOn,
    text: isFailure ? ping.text : null,
    nextDueMs: dueAfter(schedule, atMs + earlyMs),
  };
}

function dueAfter(schedule: HeartbeatSchedule, afterMs: number): number | null {
  return 'cron' in schedule ? findNextDue(schedule, afterMs) : null;
}
