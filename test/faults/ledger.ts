/**
 * Counts what happened to every slot and alert during one fault. Reads the results that the API shows and the messages
 * that a receiver got.
 */

import type { PostedEvent } from '../support/alert-sinks';
import type { Result } from '../support/api-client';
import { type ReportedChange, readWebhookReports } from '../support/reported-changes';
import { readSlots } from '../support/slots';
import { type Monitor, REGION, type Stage } from './stage';

export interface SlotCounts {
  readonly due: number;
  readonly measured: number;
  /** Number of slots that ended as unknown or are named in a gap. */
  readonly gaps: number;
  /** The number of gaps for each reason. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly lost: number;
  readonly doubled: number;
  readonly falseDowns: number;
}

export interface AlertCounts {
  readonly owed: number;
  /** Number of due alerts that were sent. */
  readonly sent: number;
  /** Number of further events about the same failure or recovery. Events with the same id count once. */
  readonly doubled: number;
  /** Number of alerts about healthy monitors. */
  readonly false: number;
}

/** Counts the slots of each monitor since the instant. Only the monitors in `troubled` may be down. */
export async function countSlots(
  { api, monitors }: Pick<Stage, 'api' | 'monitors'>,
  sinceMs: number,
  troubled: readonly Monitor[],
): Promise<SlotCounts> {
  const counts: SlotCounts[] = [];
  for (const monitor of monitors) {
    const results = await api.resultsOf(monitor.id);
    counts.push(countOf(results, monitor, { sinceMs, mayBeDown: troubled.includes(monitor) }));
  }
  const sum = (field: Exclude<keyof SlotCounts, 'reasons'>) =>
    counts.reduce((total, one) => total + one[field], 0);
  return {
    due: sum('due'),
    measured: sum('measured'),
    gaps: sum('gaps'),
    reasons: addUp(counts.map(({ reasons }) => reasons)),
    lost: sum('lost'),
    doubled: sum('doubled'),
    falseDowns: sum('falseDowns'),
  };
}

/** Describes each slot since the instant that is neither a result nor in a named gap, with its neighbours. */
export async function describeLost(
  { api, monitors }: Pick<Stage, 'api' | 'monitors'>,
  sinceMs: number,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { id, name, intervalMs } of monitors) {
    const results = await api.resultsOf(id);
    const lost = readSlots(results, { region: REGION, intervalMs }).unnamed;
    for (const slotMs of lost.filter((ms) => ms >= sinceMs)) {
      const near = results
        .filter(({ slot }) => Math.abs(Date.parse(slot) - slotMs) <= 3 * intervalMs)
        .map(({ slot, kind, status, gap }) => [slot, kind, status, JSON.stringify(gap)].join(' '));
      lines.push(`${name} lacks ${new Date(slotMs).toISOString()} among`, ...near);
    }
  }
  return lines;
}

interface Judged {
  readonly sinceMs: number;
  readonly mayBeDown: boolean;
}

function countOf(
  results: readonly Result[],
  { intervalMs }: Monitor,
  { sinceMs, mayBeDown }: Judged,
): SlotCounts {
  const ledger = readSlots(results, { region: REGION, intervalMs });
  const since = (slots: readonly number[]) => slots.filter((slotMs) => slotMs >= sinceMs);
  const lost = since(ledger.unnamed).length;
  const doubled = since(ledger.doubled).length;
  const due = new Set(since(ledger.slotsMs)).size + lost;
  const single = results.filter(
    ({ gap, kind, slot }) => gap === null && kind === 'scheduled' && Date.parse(slot) >= sinceMs,
  );
  const known = single.filter(({ status }) => status !== 'unknown');
  const measured = new Set(known.map(({ slot }) => slot)).size;
  const downs = known.filter(({ status }) => status === 'down').length;
  return {
    due,
    measured,
    lost,
    doubled,
    gaps: due - measured - lost,
    reasons: addUp(results.map((result) => reasonsOf(result, sinceMs, intervalMs))),
    falseDowns: mayBeDown ? 0 : downs,
  };
}

/** Counts the slots since the instant for which the result has no measurement, by reason. */
function reasonsOf(
  { kind, slot, gap, status, failure }: Result,
  sinceMs: number,
  intervalMs: number,
): Readonly<Record<string, number>> {
  if (kind !== 'scheduled') return {};
  if (gap === null) {
    const isUnknown = status === 'unknown' && Date.parse(slot) >= sinceMs;
    return isUnknown ? { [failure?.code ?? status]: 1 } : {};
  }
  const before = Math.ceil((sinceMs - Date.parse(gap.from)) / intervalMs);
  const slots = gap.slots - Math.max(0, before);
  return slots > 0 ? { [gap.reason]: slots } : {};
}

function addUp(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sum: Record<string, number> = {};
  for (const [reason, count] of all.flatMap((one) => Object.entries(one)))
    sum[reason] = (sum[reason] ?? 0) + count;
  return sum;
}

/**
 * Counts the alerts. One failure and one recovery are due for each monitor in `troubled`. No alert is due for other
 * monitors.
 */
export function countAlerts(
  told: readonly ReportedChange[],
  monitors: readonly Monitor[],
  troubled: readonly Monitor[],
): AlertCounts {
  const names = new Set(troubled.map(({ name }) => name));
  const owed = [...names].flatMap((name) => [`${name} failure`, `${name} recovery`]);
  const eventsOf = new Map<string, Set<string>>();
  for (const { id, kind, name } of told) {
    const what = `${name} ${kind}`;
    eventsOf.set(what, (eventsOf.get(what) ?? new Set()).add(id));
  }
  const well = new Set(monitors.map(({ name }) => name).filter((name) => !names.has(name)));
  return {
    owed: owed.length,
    sent: owed.filter((what) => eventsOf.has(what)).length,
    doubled: owed.reduce((sum, what) => sum + Math.max(0, (eventsOf.get(what)?.size ?? 0) - 1), 0),
    false: told.filter(({ name }) => well.has(name)).length,
  };
}

/** Returns when the last failure alert of a monitor in `troubled` arrived. null if none arrived. */
export function lastFailureAtMs(
  events: readonly PostedEvent[],
  troubled: readonly Monitor[],
): number | null {
  const names = new Set(troubled.map(({ name }) => name));
  const isFailure = (event: PostedEvent) =>
    readWebhookReports({ events: [event] }).some(
      ({ kind, name }) => kind === 'failure' && names.has(name),
    );
  return events.findLast(isFailure)?.atMs ?? null;
}
