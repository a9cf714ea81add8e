/** The rule that slows down password guessing: after a few free tries, each try doubles the wait. */

export interface LoginThrottleRule {
  readonly freeTries: number;
  readonly firstWaitMs: number;
  readonly waitMaxMs: number;
  /** After this time without a try, all earlier tries are forgotten. */
  readonly forgetAfterMs: number;
}

/** Returns how long the next try must wait after this many tries, in milliseconds. */
export function computeWait(rule: LoginThrottleRule, tries: number): number {
  const beyond = tries - rule.freeTries;
  if (beyond < 0) return 0;
  return Math.min(rule.waitMaxMs, rule.firstWaitMs * 2 ** Math.min(beyond, 30));
}
