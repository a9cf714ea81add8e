/**
 * Validates the arguments of signals and updates, because anyone with a Temporal client can send signals and updates.
 */
import type { IncidentSilence } from '../../contracts/alerts';
import type { MaintenancePlan, MaintenanceSpan } from '../../contracts/maintenance';
import type { PauseNote, ScheduleConfig } from '../../contracts/workflows';

/** Returns true if the argument of a signal is a maintenance plan. */
export function isMaintenancePlan(plan: unknown): plan is MaintenancePlan {
  if (typeof plan !== 'object' || plan === null) return false;
  const { asOfMs, spans }: Partial<Record<keyof MaintenancePlan, unknown>> = plan;
  return Number.isFinite(asOfMs) && Array.isArray(spans) && spans.every(isMaintenanceSpan);
}

function isMaintenanceSpan(span: unknown): boolean {
  if (typeof span !== 'object' || span === null) return false;
  const given: Partial<Record<keyof MaintenanceSpan, unknown>> = span;
  const isModeKnown = given.mode === 'mute' || given.mode === 'pause' || given.mode === 'quiet';
  return isModeKnown && Number.isFinite(given.fromMs) && Number.isFinite(given.toMs);
}

/** Returns true for the plain JSON that `pause` accepts from operators, and for a missing argument. */
export function isPauseNote(note: unknown): note is PauseNote | undefined {
  if (note === undefined || note === null) return true;
  if (typeof note !== 'object' || Array.isArray(note)) return false;
  return Object.entries(note).every(
    ([name, value]) => (name === 'by' || name === 'reason') && typeof value === 'string',
  );
}

/** Returns the first fault of a configuration that came from outside. Returns null if there is none. */
export function findConfigProblem(config: unknown, id: string): string | null {
  if (typeof config !== 'object' || config === null) return 'the configuration must be an object';
  const given: Partial<Record<keyof ScheduleConfig, unknown>> = config;
  if (given.id !== id) return 'the configuration belongs to something else';
  for (const name of ['version', 'revision', 'intervalMs', 'anchorMs'] as const) {
    if (typeof given[name] !== 'number' || !Number.isFinite(given[name]))
      return `${name} must be a number`;
  }
  if (Number(given.intervalMs) < 1_000) return 'intervalMs must be at least 1000';
  if (typeof given.paused !== 'boolean') return 'paused must be true or false';
  if (given.maintenance !== null && !isMaintenancePlan(given.maintenance))
    return 'maintenance must be a plan or null';
  const { regions } = given;
  const areNames = Array.isArray(regions) && regions.every((region) => typeof region === 'string');
  return areNames && regions.length > 0 ? null : 'regions must name at least one region';
}

/** Returns true for an acknowledgement or snooze of an incident, as plain JSON. */
export function isSilence(given: unknown): given is IncidentSilence {
  if (typeof given !== 'object' || given === null) return false;
  const silence: Partial<Record<keyof IncidentSilence, unknown>> = given;
  const { incidentId, sequence, isAcknowledged, snoozedUntilMs } = silence;
  const isTime = snoozedUntilMs === null || Number.isFinite(snoozedUntilMs);
  const isComplete = typeof isAcknowledged === 'boolean' && isTime;
  return typeof incidentId === 'string' && Number.isFinite(sequence) && isComplete;
}
