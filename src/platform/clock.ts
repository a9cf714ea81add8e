/** The wall clock as a dependency, so that tests can set any time. */
export interface Clock {
  /** Returns the milliseconds since the epoch. */
  readonly now: () => number;
}

export const systemClock: Clock = { now: () => Date.now() };
