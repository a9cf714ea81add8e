/**
 * How many watched checks are under way at a time. Whoever waits is served by its slot, the newest first:
 * where there is too much to do, some checks are on time and the gaps before the others are named.
 */

export interface InFlight {
  /** Resolves when the check may begin; what it resolves to ends its turn. */
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
