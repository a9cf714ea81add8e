/**
 * The rule that slows guesses down: some are free, then each one makes the next wait twice as long. It knows neither
 * passwords nor addresses.
 */

export interface LoginThrottleRule {
  readonly freeTries: number;
  readonly firstWaitMs: number;
  readonly waitMaxMs: number;
  /** After this time without a try, everything is forgotten. */
  readonly forgetAfterMs: number;
}

/** How long the next try must wait after this many tries. */
export function waitAfter(rule: LoginThrottleRule, tries: number): number {
  const beyond = tries - rule.freeTries;
  if (beyond < 0) return 0;
  return Math.min(rule.waitMaxMs, rule.firstWaitMs * 2 ** Math.min(beyond, 30));
}
