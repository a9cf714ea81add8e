/**
 * From the windows of an account to what each monitor and scenario must know of them, and to whether
 * it is in maintenance right now. Reads what is stored of the calendar; computes no calendar.
 */
import type {
  MaintenancePlan,
  MaintenanceSpan,
  MaintenanceTarget,
  Occurrence,
} from '../../contracts/maintenance';
import { isTargeted, type Targeted } from '../../domain/definitions/is-targeted';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-windows';
import type { Resource } from '../../models/resources/resource';
import type { Dependencies } from '../ports/dependencies';

/** Spans that a workflow gets; it gets new ones when one of them is over. */
const SPANS_MAX = 5;
/** How far ahead a plan reaches. */
export const AHEAD_MS = 32 * 86_400_000;

/** What is left of the stored occurrences of a window, an early end included. */
export function effectiveOccurrences({
  occurrences,
  endedAtMs,
  effectiveFromMs,
}: Pick<
  MaintenanceWindow,
  'occurrences' | 'endedAtMs' | 'effectiveFromMs'
>): readonly Occurrence[] {
  return occurrences
    .map(({ fromMs, toMs }) => ({
      fromMs: Math.max(fromMs, effectiveFromMs),
      toMs: endedAtMs !== null && fromMs <= endedAtMs ? Math.min(toMs, endedAtMs) : toMs,
    }))
    .filter(({ fromMs, toMs }) => fromMs < toMs);
}

/** What is in maintenance at the instant. */
export function targetsAt(
  windows: readonly MaintenanceWindow[],
  atMs: number,
): readonly MaintenanceTarget[] {
  return windows
    .filter(
      (window) =>
        !window.isDeleted &&
        effectiveOccurrences(window).some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs),
    )
    .map(({ target }) => target);
}

/** Every known span of the resource, in order; those that are over lately included. */
export function spansOf(
  windows: readonly MaintenanceWindow[],
  resource: Targeted,
): readonly MaintenanceSpan[] {
  return windows
    .filter(({ target, isDeleted }) => !isDeleted && isTargeted(target, resource))
    .flatMap((window) =>
      effectiveOccurrences(window).map((occurrence) => ({
        ...occurrence,
        windowId: window.id,
        mode: window.mode,
      })),
    )
    .sort((a, b) => a.fromMs - b.fromMs);
}

/** The plan for the workflow of the resource. */
export function planOf(
  windows: readonly MaintenanceWindow[],
  resource: Targeted,
  asOfMs: number,
): MaintenancePlan {
  const spans = spansOf(windows, resource)
    .filter(({ fromMs, toMs }) => toMs > asOfMs && fromMs <= asOfMs + AHEAD_MS)
    .slice(0, SPANS_MAX);
  return { asOfMs, spans };
}

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** The plan of one resource, as of now. */
export async function readPlan(
  { stores, clock }: Needs,
  resource: Targeted & Pick<Resource, 'accountId'>,
): Promise<MaintenancePlan> {
  const asOfMs = clock.now();
  return planOf(await stores.maintenanceWindows.listAll(resource.accountId), resource, asOfMs);
}
