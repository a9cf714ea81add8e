/** What use cases ask of the database about the past: timelines, summaries, and the operator's counts. */
import type { Health } from '../contracts/records';
import type { Summary, TimeSpan } from '../domain/summary';
import type { Timeline } from '../domain/timeline';
import type { StatusRow } from './rows';

/** A monitor as metrics show it. */
export interface MonitorMetricsRow {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly groupKey: string;
  readonly isPaused: boolean;
  readonly health: Health;
  readonly regionsHealth: StatusRow['regionsHealth'];
  readonly tlsExpiresAt: string | null;
  readonly nextSlotMs: number | null;
}

export interface ServiceCounts {
  readonly byHealth: readonly { readonly health: Health; readonly count: number }[];
  readonly openIncidents: number;
}

/** For the operator, who sees all accounts: it takes no account id, and shows no definition. */
export interface MetricsStore {
  readonly listMonitors: (limit: number) => Promise<readonly MonitorMetricsRow[]>;
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
