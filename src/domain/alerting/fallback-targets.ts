/** Finds the fallback recipients of an alert. Pure. */
import type { AlertTarget } from '../../contracts/alerts';

/** Returns the recipients that get the alert at once. */
export function listDirectTargets(targets: readonly AlertTarget[]): readonly AlertTarget[] {
  return targets.filter(({ isStandby }) => isStandby !== true);
}

/** Returns the recipients of the fallback channel of this recipient. */
export function listFallbackTargets(
  { fallback }: Pick<AlertTarget, 'fallback'>,
  targets: readonly AlertTarget[],
): readonly AlertTarget[] {
  return fallback === undefined
    ? []
    : targets.filter(({ channelId }) => channelId === fallback.channelId);
}

/** Returns the target's fallback recipients, their own fallbacks, and so on. A cycle of fallbacks ends the list. */
export function listFallbackChain(
  target: AlertTarget,
  targets: readonly AlertTarget[],
): readonly AlertTarget[] {
  const chain: AlertTarget[] = [];
  const isNew = ({ key }: AlertTarget): boolean =>
    key !== target.key && !chain.some((known) => known.key === key);
  let next = listFallbackTargets(target, targets).filter(isNew);
  while (next.length > 0) {
    chain.push(...next.map((each): AlertTarget => ({ ...each, isStandby: true })));
    next = next.flatMap((each) => listFallbackTargets(each, targets)).filter(isNew);
  }
  return chain;
}
