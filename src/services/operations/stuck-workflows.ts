/**
 * Finds stuck workflows. Temporal is queried at most every twenty seconds. A caller waits only if the last result is
 * more than a minute old.
 */
import type { Dependencies } from '../ports/dependencies';
import type { StuckWorkflow } from '../ports/gateway';

const ASKED_EVERY_MS = 20_000;
/** How old a result may be before callers wait for a new one. */
const STALE_MS = 60_000;
const DEADLINE_MS = 1_000;

export type FindStuck = () => Promise<readonly StuckWorkflow[]>;

type Needs = Pick<Dependencies, 'clock'> & {
  readonly gateway: Pick<Dependencies['gateway'], 'listStuck'>;
};

/**
 * Returns a function that finds stuck workflows. While Temporal does not respond, the function returns the last known
 * result.
 */
export function createFindStuck({ gateway, clock }: Needs): FindStuck {
  let known: readonly StuckWorkflow[] = [];
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let listedAtMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  const ask = async (): Promise<void> => {
    askedAtMs = clock.now();
    known = await gateway.listStuck(DEADLINE_MS).catch(() => known);
    listedAtMs = clock.now();
    asking = null;
  };
  return async () => {
    if (clock.now() - askedAtMs >= ASKED_EVERY_MS) asking ??= ask();
    if (clock.now() - listedAtMs >= STALE_MS) await asking;
    return known;
  };
}
