/** Wakes what waits for something to happen; what happened is for the one who was woken to see. */

export interface Signal {
  readonly notify: () => void;
  /** Resolves when it is notified next. */
  readonly next: () => Promise<void>;
}

export function createSignal(): Signal {
  let wake = (): void => undefined;
  const renew = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  let change = renew();
  return {
    notify: () => {
      const wakeNow = wake;
      change = renew();
      wakeNow();
    },
    next: () => change,
  };
}
