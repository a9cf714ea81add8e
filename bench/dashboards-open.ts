// Compares ten open dashboards with none: how late checks start, and how much CPU the API uses. 500 monitors are
// checked every 20 seconds. Phases with and without dashboards alternate within one run. A real browser on the same
// machine shows the pages, but uses only processor time that the service leaves.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { launchBenchBrowser, signIn } from './support/bench-browser';
import { percentile } from './support/percentile';
import { processTree } from './support/process-facts';
import { runBench } from './support/run-bench';
import type { BenchService } from './support/service';

const MONITORS = 500;
const INTERVAL_SECONDS = 20;
const DASHBOARDS = 10;
const ROUNDS = 2;
/** Three slots: one check through the workflow, and two in a watch. */
const WARM_UP_MS = 3 * INTERVAL_SECONDS * 1_000;
const PAGES_OPEN_MS = 10_000;
const PHASE_MS = 60_000;
const GOAL_RATIO = 1.3;

interface Phase {
  readonly dashboards: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly apiCpuMs: number;
}

/**
 * Half of the dashboards show the list; the rest show the overview and pages of single monitors.
 */
function choosePath(index: number, ids: readonly string[]): string {
  if (index % 2 === 0) return '/monitors';
  return index % 4 === 1 ? '/' : `/monitors/${ids[index] ?? ''}`;
}

async function openDashboards(service: BenchService, ids: readonly string[]): Promise<Browser> {
  const browser = await launchBenchBrowser({ isElsewhere: true });
  for (let index = 0; index < DASHBOARDS; index += 1) {
    const context = await signIn(browser, service);
    const page = await context.newPage();
    await page.goto(`${service.url}${choosePath(index, ids)}`, { waitUntil: 'load' });
  }
  return browser;
}

async function passPhase(service: BenchService, dashboards: number): Promise<Phase> {
  const apiCpuMs = () =>
    processTree(service.pid()).find(({ name }) => name === 'api')?.cpuMs ?? Number.NaN;
  await sleep(PAGES_OPEN_MS);
  const [fromMs, beforeMs] = [Date.now(), apiCpuMs()];
  await sleep(PHASE_MS);
  return { dashboards, fromMs, toMs: Date.now(), apiCpuMs: apiCpuMs() - beforeMs };
}

/**
 * Milliseconds from the slot to the start of the check, for each check whose slot is in the phase.
 */
async function latenessIn(
  { call }: BenchService,
  ids: readonly string[],
  { fromMs, toMs }: Phase,
): Promise<readonly number[]> {
  const range = `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
  const late: number[] = [];
  for (const id of ids) {
    const page = await call(`/v1/monitors/${id}/results?${range}&limit=200`);
    const { data } = JSON.parse(page) as { data: { slot: string; startedAt: string }[] };
    for (const { slot, startedAt } of data) late.push(Date.parse(startedAt) - Date.parse(slot));
  }
  return late;
}

async function measure(service: BenchService, targetUrl: string): Promise<void> {
  const ids: string[] = [];
  for (let index = 0; index < MONITORS; index += 1) {
    const url = `${targetUrl}/${index}`;
    ids.push(await service.createMonitor({ name: `m${index}`, url, interval: INTERVAL_SECONDS }));
  }
  await sleep(WARM_UP_MS);
  const phases: Phase[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    phases.push(await passPhase(service, 0));
    const browser = await openDashboards(service, ids);
    phases.push(await passPhase(service, DASHBOARDS));
    await browser.close();
  }
  const p99 = new Map<number, number>();
  for (const dashboards of [0, DASHBOARDS]) {
    const ofKind = phases.filter((phase) => phase.dashboards === dashboards);
    const late: number[] = [];
    for (const phase of ofKind) late.push(...(await latenessIn(service, ids, phase)));
    p99.set(dashboards, percentile(late, 0.99));
    const [middle, high] = [percentile(late, 0.5), percentile(late, 0.99)];
    const cpuMs = ofKind.reduce((sum, { apiCpuMs }) => sum + apiCpuMs, 0);
    const cpuShare = (100 * cpuMs) / (ofKind.length * PHASE_MS);
    console.log(
      `${String(dashboards).padStart(2)} dashboards  ${late.length} checks  late p50 ${middle.toFixed(0)} ms  p99 ${high.toFixed(0)} ms  API ${cpuShare.toFixed(1)} % of a core`,
    );
  }
  const ratio = (p99.get(DASHBOARDS) ?? 0) / (p99.get(0) ?? 1);
  console.log(`ratio of p99 ${ratio.toFixed(2)}, goal ${GOAL_RATIO}`);
}

runBench(measure);
