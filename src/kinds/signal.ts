/** Wakes waiting code when something has changed. The woken code must find out what changed. */

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
