/**
 * Creates many monitors in few requests. If a request fails on a busy machine, it can be repeated, because the key
 * shows which monitors of the set exist already.
 */
import { z } from 'zod';
import type { ApiClient } from '../support/api-client';
import { waitUntil } from '../support/wait-until';
import type { Note } from './progress';

const APPLIED = z.object({
  objects: z.array(
    z.object({ key: z.string().nullable(), id: z.string().nullable(), outcome: z.string() }),
  ),
});
/** Number of monitors in one request. Such a request takes some seconds, so that progress is visible. */
const BATCH = 100;

interface MonitorBody {
  readonly key: string;
}

/** Creates the monitors. Returns their ids by key. */
export async function applyMonitors(
  api: ApiClient,
  bodies: readonly MonitorBody[],
  note: Note,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (let from = 0; from < bodies.length; from += BATCH) {
    const monitors = bodies.slice(from, from + BATCH);
    await waitUntil(`${monitors.length} monitors from ${from} on are made`, async () => {
      const request = { method: 'POST', path: '/v1/apply', body: { monitors } };
      const { objects } = await api.call(request, { status: 200, shape: APPLIED });
      for (const { key, id, outcome } of objects)
        if (key !== null && id !== null && outcome === 'done') ids.set(key, id);
      return monitors.every(({ key }) => ids.has(key));
    });
    note(`${ids.size} of ${bodies.length} monitors made`);
  }
  return ids;
}
