/** Builds the entries that a recorded slot adds to the timeline of its resource. Pure. */
import type { MonitorCheckRecord, ScenarioSlotRecord } from '../../contracts/records';
import type { TimelineAddition } from '../../models/results/health-changes';

type SlotRecord = Pick<
  MonitorCheckRecord | ScenarioSlotRecord,
  'slotMs' | 'gap' | 'excludedPeriods' | 'health' | 'healthSinceMs' | 'regionsHealth'
>;

/** Builds the addition to the timeline. It is empty for a slot at which nothing changed. */
export function buildTimeline(record: SlotRecord): TimelineAddition {
  const { slotMs, gap, excludedPeriods } = record;
  // From the first missed slot until this slot, nothing was observed.
  const blindFromMs = gap?.reason === 'missed' && gap.fromSlotMs < slotMs ? gap.fromSlotMs : null;
  const whole = { region: null, health: record.health, sinceMs: record.healthSinceMs };
  const changes = [whole, ...record.regionsHealth].flatMap(({ region, health, sinceMs }) => {
    const change = { region, atMs: slotMs, health };
    if (blindFromMs !== null)
      return [{ region, atMs: blindFromMs, health: 'unknown' as const }, change];
    return sinceMs === slotMs ? [change] : [];
  });
  return { changes, excludedPeriods };
}
