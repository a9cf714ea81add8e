/**
 * Computes the maintenance plan of each monitor and scenario from windows and hours. Also finds resources that are in
 * maintenance now.
 */
import type {
  MaintenancePlan,
  MaintenanceSpan,
  MaintenanceTarget,
  Occurrence,
} from '../../contracts/maintenance';
import { type IdKind, isId } from '../../domain/definitions/ids';
import { isTargeted, type Targeted } from '../../domain/definitions/is-targeted';
import type { Resource } from '../../models/resources/resource';
import type { Dependencies } from '../ports/dependencies';
import { type CalendarEntry, readEntries } from './account-calendar';

/** Number of maintenance periods in a plan. The workflow gets a new plan when one of these periods is over. */
const SPANS_MAX = 5;
/** Number of closures of hours in a plan. The workflow gets a new plan when half of these closures are over. */
const CLOSURES_MAX = 10;
/** How far ahead a plan reaches. */
export const AHEAD_MS = 32 * 86_400_000;

/**
 * Returns the effective part of each occurrence: the part after `effectiveFromMs`. If an occurrence was ended early,
 * the part ends at `endedAtMs`.
 */
export function listEffectiveOccurrences({
  occurrences,
  endedAtMs,
  effectiveFromMs,
}: Pick<CalendarEntry, 'occurrences' | 'endedAtMs' | 'effectiveFromMs'>): readonly Occurrence[] {
  return occurrences
    .map(({ fromMs, toMs }) => ({
      fromMs: Math.max(fromMs, effectiveFromMs),
      toMs: endedAtMs !== null && fromMs <= endedAtMs ? Math.min(toMs, endedAtMs) : toMs,
    }))
    .filter(({ fromMs, toMs }) => fromMs < toMs);
}

/**
 * Returns the targets that are in maintenance or outside of their hours at the given time. Hours that only suppress
 * alerts (`quiet`) do not count.
 */
export function listTargetsAt(
  windows: readonly CalendarEntry[],
  atMs: number,
): readonly MaintenanceTarget[] {
  return windows
    .filter(
      (window) =>
        !window.isDeleted &&
        window.mode !== 'quiet' &&
        listEffectiveOccurrences(window).some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs),
    )
    .map(({ target }) => target);
}

/**
 * Lists all known periods of maintenance, closed hours or suspension of the resource in order. Includes periods that
 * ended recently.
 */
export function listSpans(
  windows: readonly CalendarEntry[],
  resource: Targeted,
): readonly MaintenanceSpan[] {
  return windows
    .filter(({ target, isDeleted }) => !isDeleted && isTargeted(target, resource))
    .flatMap((window) =>
      listEffectiveOccurrences(window).map((occurrence) => ({
        ...occurrence,
        windowId: window.id,
        mode: window.mode,
      })),
    )
    .sort((a, b) => a.fromMs - b.fromMs);
}

/** Builds the plan for the workflow of the resource. */
export function buildPlan(
  windows: readonly CalendarEntry[],
  resource: Targeted,
  asOfMs: number,
): MaintenancePlan {
  const next = listSpans(windows, resource).filter(
    ({ fromMs, toMs }) => toMs > asOfMs && fromMs <= asOfMs + AHEAD_MS,
  );
  const listOf = (kind: IdKind): readonly MaintenanceSpan[] =>
    next.filter(({ windowId }) => isId(kind, windowId));
  const spans = [
    // The suspension of the account is always part of the plan.
    ...listOf('account'),
    ...listOf('maintenance').slice(0, SPANS_MAX),
    ...listOf('hours').slice(0, CLOSURES_MAX),
  ];
  return { asOfMs, spans: spans.sort((a, b) => a.fromMs - b.fromMs) };
}

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** Returns the plan of one resource as of now. */
export async function readPlan(
  { stores, clock }: Needs,
  resource: Targeted & Pick<Resource, 'accountId'>,
): Promise<MaintenancePlan> {
  const asOfMs = clock.now();
  return buildPlan(await readEntries(stores, resource.accountId), resource, asOfMs);
}
