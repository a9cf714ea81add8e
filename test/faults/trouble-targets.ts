/**
 * Makes targets fail or hang until the service has seen each of them fail. On an overloaded machine, a whole outage may
 * be inside a gap. No one is notified of an outage that was never seen. Contains no assertions.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/wait-until';
import type { Monitor, Stage } from './stage';

export interface Trouble {
  readonly how: 'failing' | 'hanging';
  /** The minimum duration in milliseconds. */
  readonly forMs: number;
}

export async function troubleTargets(
  { api, target }: Pick<Stage, 'api' | 'target'>,
  troubled: readonly Monitor[],
  { how, forMs }: Trouble,
): Promise<void> {
  for (const { path } of troubled) target[how].add(path);
  try {
    await sleep(forMs);
    for (const { id, name } of troubled)
      await waitUntil(`${name} is seen ${how}`, async () =>
        (await api.resultsOf(id)).some(({ status }) => status === 'down'),
      );
  } finally {
    for (const { path } of troubled) target[how].delete(path);
  }
}
