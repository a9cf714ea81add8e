// Creates heartbeats for benchmarks of pings. Measures nothing.
import { progress } from './check-load';
import type { BenchService } from './service';

/** A token accepts five pings a second. One ping less leaves a margin for an uneven start. */
export const PINGS_PER_HEARTBEAT = 4;
const CREATED_AT_ONCE = 8;

/** Creates the heartbeats and returns their ping URLs. */
export async function createHeartbeats(
  { call }: BenchService,
  count: number,
): Promise<readonly URL[]> {
  progress(`creating ${count} heartbeats`);
  const urls: URL[] = [];
  const schedule = { everySeconds: 86_400 };
  let begun = 0;
  const create = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      const body = { type: 'heartbeat', name: `h${begun}`, schedule };
      const { pingUrl }: { readonly pingUrl: string } = JSON.parse(
        await call('/v1/monitors', body),
      );
      urls.push(new URL(pingUrl));
    }
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, create));
  return urls;
}
