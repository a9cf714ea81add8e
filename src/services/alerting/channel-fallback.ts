/** Which channel steps in for another: found by its key or id, and never in a ring. Pure. */
import type { AlertChannel } from '../../models/alerting/alert-channels';
import { refuseProblems } from '../lists/field-problems';

/** One behind the other. */
const CHAIN_MAX = 5;

interface FallbackPlace {
  /** Of the channel that has the fallback. */
  readonly id: string;
  readonly others: readonly AlertChannel[];
  /** Ids of channels that are to be made, by their keys. */
  readonly planned: ReadonlyMap<string, string>;
  /** As it is stored; null for a new one. */
  readonly before: AlertChannel | null;
}

/** Its id. Throws `validation_failed` for what is no channel of the account, and for a ring. */
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
    if (chain.length > CHAIN_MAX) refuse(`makes a chain of more than ${CHAIN_MAX} channels`);
    const current = next;
    next = others.find((other) => other.id === current)?.fallbackId ?? undefined;
  }
  return fallbackId ?? null;
}

/** One that is gone is shown as none: sent back, it is no change. */
function goneFallback(before: AlertChannel | null, others: readonly AlertChannel[]): string | null {
  const stored = before?.fallbackId ?? null;
  return others.some((other) => other.id === stored) ? null : stored;
}

function refuse(message: string): void {
  refuseProblems([{ path: 'fallback', code: 'invalid_value', message }]);
}
