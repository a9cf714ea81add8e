/** The wall clock as a dependency, so that rules and tests can be given any time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export const systemClock: Clock = { now: () => Date.now() };
