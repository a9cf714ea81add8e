/**
 * Sends the same request many times. Only so many requests run at once that a busy machine can respond within the
 * deadline of a route.
 */
import { mapAtMost } from '../../src/platform/map-at-most';

const AT_ONCE = 10;

/** Sends the requests. Resolves to the responses in the order of the requests. */
export function manyTimes<Answer>(
  count: number,
  ask: (index: number) => Promise<Answer>,
): Promise<readonly Answer[]> {
  return mapAtMost(AT_ONCE, Array.from({ length: count }), (_item, index) => ask(index));
}
