/**
 * Starts the first API reads of a page before the code of the dashboard has loaded. The reads are then in progress when
 * the page needs the data. Must not import UI code, which would delay the reads.
 */
import { findOpened, type Opened } from './layout/opened';
import { readShownWindow, uptimePath } from './shared/charts/windows';
import type { Monitor, Scenario } from './shared/data/api-types';
import { readChecksAhead } from './shared/data/checks';
import { createQueryClient, readAhead, SESSION } from './shared/data/queries';
import { readSearch, type Search } from './shared/data/search-text';

/** The pages that show all checks. */
const OF_ALL_CHECKS: readonly string[] = ['/', '/checks', '/monitors', '/scenarios', '/wallboard'];

/** The query cache of the whole dashboard. */
export const client = createQueryClient();
beginReads(window.location);

function beginReads({ pathname, search }: Location): void {
  void readAhead(client, SESSION);
  if (OF_ALL_CHECKS.includes(pathname)) readChecksAhead(client);
  const opened = findOpened(pathname);
  if (opened === null) return;
  const path = `/${opened.kind}/${opened.id}`;
  if (pathname !== path || opened.kind === 'incidents') void readAhead(client, `/v1${path}`);
  else void readCheck(opened, readSearch(Object.fromEntries(new URLSearchParams(search))));
}

/** Reads the check and the figures for its chart. */
async function readCheck({ kind, id }: Opened, search: Search): Promise<void> {
  const path = `/v1/${kind}/${id}`;
  const check = await readAhead<Monitor | Scenario>(client, path);
  if (check === undefined || search['tab'] !== undefined) return;
  const shown = readShownWindow(search, { createdAt: check.createdAt, nowMs: Date.now() });
  await readAhead(client, uptimePath(`${path}/uptime`, shown));
}
