/** Tests that a target that a fault makes fail keeps failing until the service has seen the failure. */
import type { Result } from '../support/api-client';
import { startSwitchableTarget } from '../support/switchable-target';
import { troubleTargets } from './trouble-targets';

const READS_UNTIL_SEEN = 3;

function resultOf(status: string): Result {
  const slot = '2026-01-01T00:00:00.000Z';
  const names = { id: 'r', revision: 1, trigger: 'schedule', region: 'eu-west' };
  return { ...names, slot, kind: 'scheduled', status, failure: null, gap: null };
}

test.each(['failing', 'hanging'] as const)(
  'a target stays %s until each monitor has a down result, even after unknown results',
  async (how) => {
    const target = await startSwitchableTarget();
    const monitors = ['a', 'b'].map((id) => ({ id, name: id, path: `/${id}`, intervalMs: 10_000 }));
    const reads: string[] = [];
    const troubledAtReads: number[] = [];
    const resultsOf = async (id: string) => {
      reads.push(id);
      troubledAtReads.push(target[how].size);
      const isSeen = reads.filter((one) => one === id).length >= READS_UNTIL_SEEN;
      return [resultOf('unknown'), ...(isSeen ? [resultOf('down')] : [])];
    };
    const never = () => Promise.reject(new Error('not asked'));
    const api = { call: never, createMonitor: never, resultsOf };
    await troubleTargets({ api, target }, monitors, { how, forMs: 0 });
    await target.close();
    expect(reads).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
    expect(new Set(troubledAtReads)).toEqual(new Set([monitors.length]));
    expect(target[how].size).toBe(0);
  },
);
