/**
 * Joins outages that are close together. A resource that recovers and fails again within minutes has one outage. Pure.
 */

/** A recovery that is shorter than this does not end the outage. */
export const OUTAGE_GAP_MS = 5 * 60_000;
/** For status pages, all outages of a day that are shorter than this are joined. */
const SHORT_MS = 5 * 60_000;
const DAY_MS = 24 * 3_600_000;

export interface Outage {
  readonly fromMs: number;
  /** null means that the outage is still open. */
  readonly toMs: number | null;
}

export interface JoinedOutage extends Outage {
  /** When the open outage began. If all joined outages have ended, when the last of them began. */
  readonly lastFromMs: number;
  /** How many outages were joined, at least 1. */
  readonly count: number;
  /** The total duration of the joined outages, without the gaps. An open outage counts until now. */
  readonly downMs: number;
}

/** Joins the outages of one check, given in any order. Returns them oldest first. */
export function joinOutages(outages: readonly Outage[], nowMs: number): readonly JoinedOutage[] {
  const joint: JoinedOutage[] = [];
  for (const outage of oldestFirst(outages)) {
    const { fromMs, toMs } = outage;
    const single = { ...outage, lastFromMs: fromMs, count: 1, downMs: (toMs ?? nowMs) - fromMs };
    const before = joint.at(-1);
    const isNear = before !== undefined && outage.fromMs - (before.toMs ?? nowMs) < OUTAGE_GAP_MS;
    if (isNear) joint.splice(-1, 1, joinTwo(before, single));
    else joint.push(single);
  }
  return joint;
}

/** Like joinOutages, but also joins all outages of one day (UTC) that are shorter than five minutes. */
export function joinPublicOutages(
  outages: readonly Outage[],
  nowMs: number,
): readonly JoinedOutage[] {
  const shown: JoinedOutage[] = [];
  const shortOfDay = new Map<number, number>();
  for (const outage of joinOutages(outages, nowMs)) {
    const isShort = outage.toMs !== null && outage.toMs - outage.fromMs < SHORT_MS;
    const day = Math.floor(outage.fromMs / DAY_MS);
    const at = isShort ? shortOfDay.get(day) : undefined;
    const before = at === undefined ? undefined : shown[at];
    if (at !== undefined && before !== undefined) shown[at] = joinTwo(before, outage);
    else {
      if (isShort) shortOfDay.set(day, shown.length);
      shown.push(outage);
    }
  }
  return shown;
}

function joinTwo(before: JoinedOutage, after: JoinedOutage): JoinedOutage {
  const isOpen = before.toMs === null || after.toMs === null;
  return {
    fromMs: before.fromMs,
    toMs: isOpen ? null : Math.max(before.toMs, after.toMs),
    lastFromMs: before.toMs === null ? before.lastFromMs : after.lastFromMs,
    count: before.count + after.count,
    downMs: before.downMs + after.downMs,
  };
}

function oldestFirst(outages: readonly Outage[]): readonly Outage[] {
  return [...outages].sort((a, b) => a.fromMs - b.fromMs);
}
