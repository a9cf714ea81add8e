/** Resolves the fallback of a channel by key or id, and refuses cycles. Pure. */
import type { AlertChannel } from '../../models/alerting/alert-channels';
import { refuseProblems } from '../lists/field-problems';

/** Maximum number of channels in a chain of fallbacks. */
const CHAIN_MAX = 5;

interface FallbackPlace {
  /** Id of the channel that has the fallback. */
  readonly id: string;
  readonly others: readonly AlertChannel[];
  /** Ids of channels that will be created, by their keys. */
  readonly planned: ReadonlyMap<string, string>;
  /** The stored channel; null for a new one. */
  readonly before: AlertChannel | null;
}

/**
 * Returns the id of the fallback. Throws `validation_failed` for an unknown channel, a cycle, or a chain that is too
 * long.
 */
export function resolveFallback(
  { id, others, planned, before }: FallbackPlace,
  reference: string | null,
): string | null {
  if (reference === null) return goneFallback(before, others);
  const found = others.find((other) => other.id === reference || other.key === reference);
  const fallbackId = found?.id ?? planned.get(reference);
  if (fallbackId === undefined) refuse('is not a channel of this account');
  const chain = [id];
  for (let next = fallbackId; next !== undefined; ) {
    if (next === id) refuse('leads back to this channel');
    chain.push(next);
    if (chain.length > CHAIN_MAX) refuse(`creates a chain of more than ${CHAIN_MAX} channels`);
    const current = next;
    next = others.find((other) => other.id === current)?.fallbackId ?? undefined;
  }
  return fallbackId ?? null;
}

/** A deleted fallback is shown as null. Sending null back does not count as a change. */
function goneFallback(before: AlertChannel | null, others: readonly AlertChannel[]): string | null {
  const stored = before?.fallbackId ?? null;
  return others.some((other) => other.id === stored) ? null : stored;
}

function refuse(message: string): void {
  refuseProblems([{ path: 'fallback', code: 'invalid_value', message }]);
}
