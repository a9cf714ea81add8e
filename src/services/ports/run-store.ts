/** What use cases ask of the stored runs of scenarios. Implemented by src/models. */
import type { RunRecord } from '../../contracts/records';

export interface RunQuery {
  readonly limit: number;
  /** Goes on before this id; null: from the newest. */
  readonly beforeId: string | null;
  readonly scenarioId: string;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly region: string | null;
  readonly status: RunRecord['status'] | null;
  readonly trigger: RunRecord['trigger'] | null;
}

export interface RunStore {
  /** Stores the run when nothing newer of it is stored (by `progress`). */
  readonly save: (accountId: string, run: RunRecord) => Promise<void>;
  readonly find: (accountId: string, runId: string) => Promise<RunRecord | null>;
  /** Newest first by run id. */
  readonly page: (
    accountId: string,
    query: RunQuery,
  ) => Promise<{ readonly rows: readonly RunRecord[]; readonly hasMore: boolean }>;
  /** Those of the runs that have ended. */
  readonly findEnded: (
    accountId: string,
    runIds: readonly string[],
  ) => Promise<ReadonlySet<string>>;
  /** How many runs that people asked for have an earlier id and no end; counts up to the limit. */
  readonly countRequested: (
    accountId: string,
    query: { readonly scenarioId: string; readonly beforeId: string; readonly limit: number },
  ) => Promise<number>;
  /** Deletes runs that nobody was told of; one that has begun stays. */
  readonly discard: (accountId: string, runIds: readonly string[]) => Promise<void>;
}
