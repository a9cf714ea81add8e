/**
 * Following a plan of maintenance through time: what is under way, what has ended, when something
 * changes next. Pure; it knows instants only, no calendar and no clock.
 */
import type {
  MaintenanceMode,
  MaintenancePlan,
  MaintenanceState,
} from '../../contracts/maintenance';
import type { ExcludedPeriod } from '../../contracts/records';

/** A plan that nothing has been done of; spans that began before `seenMs` count from there. */
export function unseenPlan(plan: MaintenancePlan | null, seenMs: number): MaintenanceState {
  return { asOfMs: plan?.asOfMs ?? 0, spans: plan?.spans ?? [], current: null, seenMs };
}

/** pause wins over mute; null: no span covers the instant. */
export function modeAt(
  { spans }: Pick<MaintenancePlan, 'spans'>,
  atMs: number,
): MaintenanceMode | null {
  const covering = spans.filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
  if (covering.some(({ mode }) => mode === 'pause')) return 'pause';
  return covering.length > 0 ? 'mute' : null;
}

/** The next instant at which a span begins or ends; null: none is left. */
export function nextEdgeMs({ spans, seenMs }: MaintenanceState): number | null {
  const edges = spans
    .flatMap(({ fromMs, toMs }) => [fromMs, toMs])
    .filter((edgeMs) => edgeMs > seenMs);
  return edges.length === 0 ? null : Math.min(...edges);
}

/** When checks begin again; null: they are not paused. */
export function restEndsMs(state: MaintenanceState): number | null {
  if (state.current?.mode !== 'pause') return null;
  const ends = state.spans.map(({ toMs }) => toMs).sort((a, b) => a - b);
  return ends.find((toMs) => toMs > state.seenMs && modeAt(state, toMs) !== 'pause') ?? null;
}

export interface Followed {
  readonly state: MaintenanceState;
  /** Maintenance that is over, in order. */
  readonly ended: readonly ExcludedPeriod[];
  /** Where checks stopped and began again, in order. */
  readonly turns: readonly RestTurn[];
}

/** From this instant on, maintenance forbids checks, or no longer does. */
export interface RestTurn {
  readonly atMs: number;
  readonly rests: boolean;
}

/** Does every edge up to now, in order, however late it is; spans that are over are forgotten. */
export function followPlan(before: MaintenanceState, nowMs: number): Followed {
  const edges = before.spans.flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
  const passed = edges.filter((edgeMs) => edgeMs > before.seenMs && edgeMs <= nowMs);
  const instants = [...new Set([Math.min(before.seenMs, nowMs), ...passed, nowMs])];
  let { current } = before;
  const turns: RestTurn[] = [];
  const ended: ExcludedPeriod[] = [];
  for (const atMs of instants.sort((a, b) => a - b)) {
    const mode = modeAt(before, atMs);
    const rests = mode === 'pause';
    if (rests !== (current?.mode === 'pause')) turns.push({ atMs, rests });
    if (current !== null && mode === null && current.fromMs < atMs)
      ended.push({ state: 'maintenance', fromMs: current.fromMs, toMs: atMs });
    current = mode === null ? null : { fromMs: current?.fromMs ?? atMs, mode };
  }
  const spans = before.spans.filter(({ toMs }) => toMs > nowMs);
  const seenMs = Math.max(before.seenMs, nowMs);
  return { state: { ...before, spans, current, seenMs }, ended, turns };
}

/** Takes over a plan as of now, unless the one in force is newer; what is under way goes on in it. */
export function replacePlan(before: MaintenanceState, plan: MaintenancePlan): MaintenanceState {
  if (plan.asOfMs < before.asOfMs) return before;
  return { ...before, asOfMs: plan.asOfMs, spans: plan.spans };
}
