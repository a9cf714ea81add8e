/** Finds the recipients of an alert that others have not accepted: the fallbacks of channels. Pure. */
import type { AlertTarget } from '../../contracts/alerts';

/** The recipients that get the alert at once. */
export function directTargets(targets: readonly AlertTarget[]): readonly AlertTarget[] {
  return targets.filter(({ isStandby }) => isStandby !== true);
}

/** The recipients of the channel that steps in for this one. */
export function fallbackTargets(
  { fallback }: Pick<AlertTarget, 'fallback'>,
  targets: readonly AlertTarget[],
): readonly AlertTarget[] {
  return fallback === undefined
    ? []
    : targets.filter(({ channelId }) => channelId === fallback.channelId);
}

/** All recipients that may step in for it, one after the other; it ends even if they form a ring. */
export function standbyChain(
  target: AlertTarget,
  targets: readonly AlertTarget[],
): readonly AlertTarget[] {
  const chain: AlertTarget[] = [];
  const isNew = ({ key }: AlertTarget): boolean =>
    key !== target.key && !chain.some((known) => known.key === key);
  let next = fallbackTargets(target, targets).filter(isNew);
  while (next.length > 0) {
    chain.push(...next.map((each): AlertTarget => ({ ...each, isStandby: true })));
    next = next.flatMap((each) => fallbackTargets(each, targets)).filter(isNew);
  }
  return chain;
}
