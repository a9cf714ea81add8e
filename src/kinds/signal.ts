/** Wakes code that waits for a change. The code itself must then find out what has changed. */

export interface Signal {
  readonly notify: () => void;
  /** Resolves at the next `notify`. */
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
