/** What use cases ask of the database about the past: timelines, summaries, and the operator's counts. */
import type { Health } from '../../contracts/records';
import type { Summary, TimeSpan } from '../../domain/health/summary';
import type { Timeline } from '../../domain/health/timeline';
import type { StatusRow } from './rows';

/** What the request of a check took in a region, phase by phase; null: it did not come so far. */
export interface Measured {
  readonly region: string;
  readonly statusCode: number | null;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly ttfbMs: number | null;
  readonly downloadMs: number | null;
}

/** What metrics show of a monitor and of a scenario. */
export interface ResourceMetricsRow {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly groupKey: string;
  readonly tags: readonly string[];
  readonly isPaused: boolean;
  readonly health: Health;
  readonly regionsHealth: StatusRow['regionsHealth'];
}

export interface MonitorMetricsRow extends ResourceMetricsRow {
  readonly measured: readonly Measured[];
  readonly tlsExpiresAt: string | null;
  readonly nextSlotMs: number | null;
}

export interface ServiceCounts {
  readonly byHealth: readonly { readonly health: Health; readonly count: number }[];
  readonly openIncidents: number;
}

export interface ScenarioMetricsRow extends ResourceMetricsRow {
  readonly stepCount: number;
  /** null before the first one has ended. */
  readonly lastRun: {
    readonly finishedAtMs: number;
    /** From 1; null when no step failed. */
    readonly failedStep: number | null;
  } | null;
}

/** For the operator, who sees all accounts: it takes no account id, and shows no definition. */
export interface MetricsStore {
  /** Newest first, as the scenarios. */
  readonly listMonitors: (limit: number) => Promise<readonly MonitorMetricsRow[]>;
  readonly listScenarios: (limit: number) => Promise<readonly ScenarioMetricsRow[]>;
  readonly count: () => Promise<ServiceCounts>;
}

/** The health of a resource over time. */
export interface TimelineStore {
  /** What is needed to know each instant of the span; region null: as a whole. */
  readonly read: (
    accountId: string,
    query: TimeSpan & { readonly id: string; readonly region: string | null },
  ) => Promise<Timeline>;
}

/** What the results of a time come to. */
export interface SummaryStore {
  /**
   * One summary per span, the spans one after the other. Whole hours before `summarisedUntilMs`
   * come from summaries, all else from single results.
   */
  readonly sumUp: (accountId: string, query: SummaryQuery) => Promise<readonly Summary[]>;
}

export interface SummaryQuery {
  readonly id: string;
  readonly region: string;
  readonly spans: readonly TimeSpan[];
  readonly summarisedUntilMs: number;
}
