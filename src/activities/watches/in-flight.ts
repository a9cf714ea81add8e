/**
 * Limits how many checks of watches run at once. Of the waiting checks, those with the newest slot start first. So
 * under overload, some checks still start on time, and the slots of the others become gaps.
 */

export interface InFlight {
  /** Waits until the check may start. The caller calls the returned function when the check has ended. */
  readonly take: (slotMs: number) => Promise<() => void>;
}

interface Waiting {
  readonly slotMs: number;
  readonly begin: () => void;
}

export function createInFlight(atOnce: number): InFlight {
  const waiting: Waiting[] = [];
  let taken = 0;

  function leave(): void {
    taken -= 1;
    const next = takeNewest(waiting);
    if (next === undefined) return;
    taken += 1;
    next.begin();
  }

  return {
    take: (slotMs) =>
      new Promise((resolve) => {
        if (taken < atOnce) {
          taken += 1;
          resolve(leave);
          return;
        }
        waiting.push({ slotMs, begin: () => resolve(leave) });
      }),
  };
}

function takeNewest(waiting: Waiting[]): Waiting | undefined {
  let newest = 0;
  for (const [index, { slotMs }] of waiting.entries())
    if (slotMs > (waiting[newest]?.slotMs ?? 0)) newest = index;
  return waiting.splice(newest, 1)[0];
}
