/**
 * Outages as people speak of them: what failed, recovered and failed again within minutes is one
 * episode. Pure; it knows neither names nor causes.
 */

/** A recovery shorter than this is part of the outage around it. */
export const EPISODE_GAP_MS = 5 * 60_000;
/** Outages shorter than this are summed up by day. */
const SHORT_MS = 5 * 60_000;
const DAY_MS = 24 * 3_600_000;

export interface Outage {
  readonly fromMs: number;
  /** null: it goes on. */
  readonly toMs: number | null;
}

export interface Episode extends Outage {
  /** Outages in it, at least 1. */
  readonly count: number;
  /** Of its outages alone, until now for one that goes on. */
  readonly downMs: number;
}

/** Outages of one check, in whatever order, as episodes, oldest first. */
export function episodesOf(outages: readonly Outage[], nowMs: number): readonly Episode[] {
  const episodes: Episode[] = [];
  for (const outage of oldestFirst(outages)) {
    const single = { ...outage, count: 1, downMs: (outage.toMs ?? nowMs) - outage.fromMs };
    const before = episodes.at(-1);
    const isNear = before !== undefined && outage.fromMs - (before.toMs ?? nowMs) < EPISODE_GAP_MS;
    if (isNear) episodes.splice(-1, 1, joined(before, single));
    else episodes.push(single);
  }
  return episodes;
}

/** As episodesOf, with those under five minutes of one day (UTC) as one. */
export function publicEpisodesOf(outages: readonly Outage[], nowMs: number): readonly Episode[] {
  const shown: Episode[] = [];
  const shortOfDay = new Map<number, number>();
  for (const episode of episodesOf(outages, nowMs)) {
    const isShort = episode.toMs !== null && episode.toMs - episode.fromMs < SHORT_MS;
    const day = Math.floor(episode.fromMs / DAY_MS);
    const at = isShort ? shortOfDay.get(day) : undefined;
    const before = at === undefined ? undefined : shown[at];
    if (at !== undefined && before !== undefined) shown[at] = joined(before, episode);
    else {
      if (isShort) shortOfDay.set(day, shown.length);
      shown.push(episode);
    }
  }
  return shown;
}

function joined(before: Episode, after: Episode): Episode {
  const isOpen = before.toMs === null || after.toMs === null;
  return {
    fromMs: before.fromMs,
    toMs: isOpen ? null : Math.max(before.toMs, after.toMs),
    count: before.count + after.count,
    downMs: before.downMs + after.downMs,
  };
}

function oldestFirst(outages: readonly Outage[]): readonly Outage[] {
  return [...outages].sort((a, b) => a.fromMs - b.fromMs);
}
