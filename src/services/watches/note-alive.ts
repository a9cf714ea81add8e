/** Records with a single write that a probe with watches is alive. */
import { PROBE_LOST_AFTER_MS, type ProbeAlive } from '../../contracts/probe-protocol';
import type { Dependencies } from '../ports/dependencies';

export async function noteAlive(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  probe: ProbeAlive,
): Promise<void> {
  await stores.watches.noteAlive(probe, clock.now(), PROBE_LOST_AFTER_MS);
}
