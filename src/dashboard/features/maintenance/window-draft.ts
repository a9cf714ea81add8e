/** The draft of a maintenance window, and its body for /v1. */
import { isTargeted, type Targeted } from '../../../domain/definitions/is-targeted';
import type { MaintenanceWindow, StatusPage } from '../../shared/data/api-types';
import { OWN_ZONE } from '../../shared/form/fields/time-zones';
import { formatDuration } from '../../shared/text/time-text';
import { formatRule, type RecurrenceChoice, readChoice } from './recurrence-choice';
import { instantAt, instantInZone, wallClockAt } from './zones';

export type TargetDraft = MaintenanceWindow['target'];

export interface WindowDraft extends RecurrenceChoice {
  readonly name: string;
  readonly mode: MaintenanceWindow['mode'];
  readonly zone: string;
  /** The start in local time of the zone, like `2026-01-31T12:00`. */
  readonly start: string;
  readonly minutes: number;
  /** null until the person chooses, so that no window mutes everything by accident. */
  readonly target: TargetDraft | null;
}

export const NOTHING: TargetDraft = { all: false, ids: [], tags: [], groups: [] };

/** True if the target names everything, or at least one check, tag or group. */
export function isTargetChosen(target: TargetDraft | null): boolean {
  if (target === null) return false;
  const { all, ids, tags, groups } = target;
  return all || ids.length + tags.length + groups.length > 0;
}

const MINUTES = 60;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Creates the draft. A new window starts at the next full hour. */
export function createDraft(window: MaintenanceWindow | null, nowMs: number): WindowDraft {
  if (window === null) {
    const nextHour = new Date(Math.ceil(nowMs / HOUR_MS) * HOUR_MS).toISOString();
    return {
      ...readChoice(null),
      name: '',
      mode: 'mute',
      zone: OWN_ZONE,
      start: wallClockAt(nextHour, OWN_ZONE),
      minutes: MINUTES,
      target: null,
    };
  }
  const { name, mode, timeZone, startsAt, durationMinutes, rrule, target } = window;
  return {
    ...readChoice(rrule),
    name,
    mode,
    zone: timeZone,
    start: wallClockAt(startsAt, timeZone),
    minutes: durationMinutes,
    target,
  };
}

/** Says how long the window lasts and when it ends, like `1 h, until 17:00`. The end has its day if the day differs. */
export function lengthWords({ start, zone, minutes }: WindowDraft, nowMs = Date.now()): string {
  const length = formatDuration(minutes * 60);
  const startsAt = instantAt(start, zone);
  if (startsAt === null) return length;
  const endsAt = new Date(Date.parse(startsAt) + minutes * MINUTE_MS).toISOString();
  const end = wallClockAt(endsAt, zone);
  const isSameDay = end.slice(0, 10) === start.slice(0, 10);
  return `${length}, until ${isSameDay ? end.slice(11) : instantInZone(endsAt, zone, nowMs)}`;
}

/** Builds the target of the body: `all`, or the chosen ids, tags and groups. */
export function buildTarget(target: TargetDraft | null): Readonly<Record<string, unknown>> {
  const { all, ids, tags, groups } = target ?? NOTHING;
  return all ? { all } : { ids, tags, groups };
}

/** Builds the body of POST and PATCH. null if the start is not a valid time. */
export function buildBody(draft: WindowDraft): Readonly<Record<string, unknown>> | null {
  const startsAt = instantAt(draft.start, draft.zone);
  if (startsAt === null) return null;
  return {
    name: draft.name,
    mode: draft.mode,
    startsAt,
    durationMinutes: draft.minutes,
    rrule: formatRule(draft),
    timeZone: draft.zone,
    target: buildTarget(draft.target),
  };
}

/** Says how many checks a window covers, like `Covers all 9 checks`. */
export function coveredWords(count: number, total: number): string {
  if (count === 0) return 'Covers no checks';
  if (count < total) return `Covers ${count} of ${total} checks`;
  return total === 1 ? 'Covers the only check' : `Covers all ${total} checks`;
}

/** Describes the target. `names` are the names of the chosen monitors and scenarios. */
export function targetWords({ all, tags, groups }: TargetDraft, names: readonly string[]): string {
  if (all) return 'All checks';
  return [
    names.join(', '),
    tags.length === 0 ? '' : `${tags.length === 1 ? 'Tag' : 'Tags'} ${tags.join(', ')}`,
    groups.length === 0 ? '' : `${groups.length === 1 ? 'Group' : 'Groups'} ${groups.join(', ')}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

type Shown = Pick<StatusPage, 'isPublic'> & {
  readonly groups: readonly { readonly items: readonly { readonly id: string }[] }[];
};

/** Returns the public pages that show a check which the window covers. */
export function affectedPages<Each extends Shown>(
  pages: readonly Each[],
  target: TargetDraft,
  checks: readonly Targeted[],
): readonly Each[] {
  const covered = new Set(checks.filter((check) => isTargeted(target, check)).map(({ id }) => id));
  return pages.filter(
    ({ isPublic, groups }) =>
      isPublic && groups.some(({ items }) => items.some(({ id }) => covered.has(id))),
  );
}
