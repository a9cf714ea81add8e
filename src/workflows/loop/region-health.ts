/** Computes the health after a slot (an instant of the schedule), and decides which regions count in it. Pure. */

import type { HealthState } from '../../contracts/workflows';
import { type HealthRule, nextHealth, type SlotObservations } from '../../domain/health/health';
import type { TimeState } from './keep-time';

/** Leaves out regions that have been removed since the check of the slot began. */
export function withoutFormerRegions<Seen extends { readonly region: string }>(
  { config }: TimeState,
  asked: readonly string[],
  seen: readonly Seen[],
): readonly Seen[] {
  return seen.filter(({ region }) => config.regions.includes(region) || !asked.includes(region));
}

/**
 * Computes the health after a slot. If there are no observations, the health stays the same. Uses the current
 * configuration, because it may have changed during the check.
 */
export function computeHealth(
  { config, health }: TimeState,
  slot: SlotObservations,
  rule: HealthRule,
): HealthState {
  const next = slot.observations.length === 0 ? health : nextHealth(health, slot, rule);
  const regions = next.regions.filter(({ region }) => config.regions.includes(region));
  return { ...next, regions };
}
