/** Polls `/v1` every second, and shows each check, run and incident once. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DemoEvent, ServiceEvent } from './demo-event';
import type { Monitor, Result, Run, Scenario, ServiceClient } from './service-client';

const POLL_EVERY_MS = 1_000;
const UNFINISHED = new Set(['queued', 'running', 'waiting']);

interface FollowPlan {
  readonly client: ServiceClient;
  readonly scenarios: readonly Scenario[];
  readonly show: (event: DemoEvent) => void;
  /** False means that checks and runs without a change are not shown. */
  readonly isVerbose: boolean;
  /** Called with the newest results of each monitor that was checked. */
  readonly onResults: (monitorId: string, results: readonly Result[]) => void;
  /** Called with each new reason why the service did not respond. */
  readonly warn: (sentence: string) => void;
  readonly signal: AbortSignal;
}

/**
 * The events since the last poll, oldest first. `problem` is the reason why a request failed. null if no request
 * failed.
 */
export interface Turn {
  readonly events: readonly ServiceEvent[];
  readonly problem: string | null;
}

/** Shows the events until the signal aborts. A failed request is repeated with the next poll. */
export async function followService(plan: FollowPlan): Promise<void> {
  const { client, scenarios, show, warn, isVerbose, onResults, signal } = plan;
  const follower = createFollower(client, scenarios, onResults);
  const isNews = createNewsFilter();
  let lastProblem: string | null = null;
  while (!signal.aborted) {
    const { events, problem } = await follower.next();
    for (const event of events) if (isNews(event) || isVerbose) show(event);
    if (problem !== null && problem !== lastProblem && !signal.aborted) warn(problem);
    lastProblem = problem;
    await delay(POLL_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Creates a filter that returns false if the previous check or run with the same name and region had the same status.
 */
export function createNewsFilter(): (event: ServiceEvent) => boolean {
  const last = new Map<string, string>();
  return (event) => {
    if (event.kind === 'incident') return true;
    const { kind, name, region, status } = event;
    const key = `${kind} ${region} ${name}`;
    const isNews = last.get(key) !== status;
    last.set(key, status);
    return isNews;
  };
}

/** Creates a poll that remembers which events were shown. If a call failed, the next poll shows the missing events. */
export function createFollower(
  client: ServiceClient,
  scenarios: readonly Scenario[],
  onResults: FollowPlan['onResults'] = () => undefined,
): { readonly next: () => Promise<Turn> } {
  const takeFresh = createFreshTaker();
  const findIncident = createIncidentFinder();
  const lastCheckedAt = new Map<string, string>();

  /**
   * Reads the new results of a monitor. Requests them only after the monitor was checked, to stay far below any rate
   * limit.
   */
  async function eventsOfMonitor(monitor: Monitor): Promise<readonly ServiceEvent[]> {
    const { id, lastCheckedAt: at } = monitor;
    let checks: readonly ServiceEvent[] = [];
    if (at !== null && lastCheckedAt.get(id) !== at) {
      const results = await client.results(id);
      lastCheckedAt.set(id, at);
      onResults(id, results);
      checks = takeFresh(id, results).map((result) => toCheckEvent(monitor, result));
    }
    const incident = findIncident(monitor, checks);
    return incident === null ? checks : [...checks, incident];
  }

  async function eventsOfScenario(scenario: Scenario): Promise<readonly ServiceEvent[]> {
    const runs = await client.runs(scenario.id);
    const finished = runs.filter(({ status }) => !UNFINISHED.has(status));
    return takeFresh(scenario.id, finished).map((run) => toRunEvent(scenario, run));
  }

  async function next(): Promise<Turn> {
    const [monitors] = await Promise.allSettled([client.monitors()]);
    const watched = monitors.status === 'fulfilled' ? monitors.value : [];
    const turns = await Promise.allSettled([
      ...watched.map(eventsOfMonitor),
      ...scenarios.map(eventsOfScenario),
    ]);
    const failed = [monitors, ...turns].find(({ status }) => status === 'rejected');
    const events = turns.flatMap((turn) => (turn.status === 'fulfilled' ? turn.value : []));
    events.sort((left, right) => left.at.getTime() - right.at.getTime());
    return { events, problem: failed?.status === 'rejected' ? String(failed.reason) : null };
  }

  return { next };
}

/** Creates a function that finds the items of the newest page that the previous page did not contain. */
function createFreshTaker() {
  const lastPages = new Map<string, ReadonlySet<string>>();
  return <Item extends { readonly id: string }>(
    resourceId: string,
    page: readonly Item[],
  ): readonly Item[] => {
    const known = lastPages.get(resourceId);
    lastPages.set(resourceId, new Set(page.map(({ id }) => id)));
    return page.filter(({ id }) => known?.has(id) !== true);
  };
}

/**
 * Creates a function that finds incidents. An incident opens when a monitor's health turns to down and closes when the
 * health recovers.
 */
function createIncidentFinder() {
  const downSince = new Map<string, Date>();
  return ({ id, name, health }: Monitor, checks: readonly ServiceEvent[]): ServiceEvent | null => {
    const since = downSince.get(id);
    if (health === 'down' && since === undefined) {
      const failing = checks.find(({ status }) => status === 'down');
      const at = failing?.at ?? new Date();
      downSince.set(id, at);
      return { kind: 'incident', at, name, status: 'opened', detail: failing?.detail ?? null };
    }
    if ((health === 'up' || health === 'degraded') && since !== undefined) {
      const at = checks.find(({ status }) => status === health)?.at ?? new Date();
      downSince.delete(id);
      const seconds = Math.max(0, Math.round((at.getTime() - since.getTime()) / 1000));
      return { kind: 'incident', at, name, status: 'closed', detail: `down for ${seconds} s` };
    }
    return null;
  };
}

function toCheckEvent({ name }: Monitor, result: Result): ServiceEvent {
  return {
    kind: 'check',
    at: new Date(result.startedAt ?? Date.now()),
    name,
    status: result.status,
    region: result.region,
    durationMs: result.responseTimeMs ?? null,
    detail: result.failure?.message ?? null,
  };
}

function toRunEvent({ name }: Scenario, run: Run): ServiceEvent {
  const passed = run.steps.filter(({ status }) => status === 'passed').length;
  return {
    kind: 'run',
    at: new Date(run.finishedAt ?? Date.now()),
    name,
    status: run.status,
    region: run.region,
    durationMs: run.durationMs ?? null,
    detail: run.failure?.message ?? `${passed} of ${run.steps.length} steps passed`,
  };
}
