/** The writes that record a slot. Each is atomic and idempotent. */

import type { SignInFailure } from '../../contracts/alerting/identity-providers';
import type { Gap, RunRecord } from '../../contracts/records';
import type { TimeSpan } from '../../domain/health/summary';
import type { Clock } from '../../platform/clock';
import { saveSignInFailure } from '../alerting/identity-providers';
import {
  type IncidentChange,
  type IncidentDecisions,
  saveDecisions,
  saveIncident,
} from '../alerting/save-incident';
import type { Models } from '../collections';
import { type EvidenceRecord, type FailedAt, keepEvidenceBefore, saveEvidence } from './evidence';
import { insertChanges, type TimelineAddition } from './health-changes';
import type { GapQuery, Result } from './result';
import { deleteResults, insertResults, readGaps } from './results';
import { saveRun } from './runs';
import {
  advanceStatus,
  isStatusPresent,
  noteSummaries,
  type StatusChange,
  type StoredState,
} from './statuses';
import { type SummarySource, summariseHours } from './summaries';

/** The monitor or scenario to which a slot belongs. */
export interface Owner {
  readonly accountId: string;
  readonly id: string;
}

/** A span of whole hours. Days that are over by `endedMs` are summed up, too. */
export type SummedSpan = TimeSpan & { readonly endedMs: number };

export interface SummaryWrites {
  readonly summariseHours: (source: SummarySource, span: SummedSpan) => Promise<void>;
  readonly noteSummaries: (owner: Owner, summarisedUntilMs: number) => Promise<void>;
}

export interface RecordWrites extends SummaryWrites {
  readonly advanceStatus: (change: StatusChange) => Promise<StoredState>;
  readonly isStatusPresent: (owner: Owner) => Promise<boolean>;
  /** Returns the stored gaps that start between the slots, and the newest gap before them. */
  readonly readGaps: (query: GapQuery) => Promise<readonly Gap[]>;
  readonly insertResults: (results: readonly Result[]) => Promise<void>;
  readonly deleteResults: (results: readonly Result[]) => Promise<void>;
  readonly insertChanges: (owner: Owner, addition: TimelineAddition) => Promise<void>;
  readonly saveEvidence: (batch: readonly EvidenceRecord[]) => Promise<void>;
  /** Keeps the evidence of the last pass before each failure, so that people can compare the pass with the failure. */
  readonly keepEvidenceBefore: (failures: readonly FailedAt[]) => Promise<void>;
  /** Stores the run. If the stored run has ended, changes nothing and resolves to false. */
  readonly saveRun: (run: RunRecord) => Promise<boolean>;
  readonly saveIncident: (incident: IncidentChange) => Promise<void>;
  /** Stores that a check could not sign in at the provider. */
  readonly saveSignInFailure: (failure: SignInFailure, providerId: string) => Promise<void>;
  /** Stores decisions of an incident. Resolves to false if the incident is not stored yet, or has newer decisions. */
  readonly saveDecisions: (incident: IncidentDecisions) => Promise<boolean>;
}

export function createRecordWritesOn(models: Models, clock: Clock): RecordWrites {
  const { statuses, results, runs, incidents, healthChanges } = models;
  return {
    ...createSummaryWrites(models),
    // The time is never before the slot, even if the clock of this process is slow.
    advanceStatus: (change) =>
      advanceStatus(statuses, change, Math.max(clock.now(), change.slotMs)),
    isStatusPresent: ({ accountId, id }) => isStatusPresent(statuses, accountId, id),
    readGaps: (query) => readGaps(results, query),
    insertResults: (batch) => insertResults(results, batch),
    deleteResults: (batch) => deleteResults(results, batch),
    insertChanges: (owner, addition) => insertChanges(healthChanges, owner, addition),
    saveEvidence: (batch) => saveEvidence(models.evidence, batch),
    keepEvidenceBefore: (failures) => keepEvidenceBefore(models, failures),
    saveRun: (run) => saveRun(runs, run, clock.now()),
    saveIncident: (incident) => {
      const happenedAtMs = incident.closedAtMs ?? incident.openedAtMs;
      return saveIncident(incidents, incident, Math.max(clock.now(), happenedAtMs));
    },
    saveSignInFailure: (failure, providerId) =>
      saveSignInFailure(models.signInFailures, failure, providerId),
    saveDecisions: (incident) => saveDecisions(incidents, incident, clock.now()),
  };
}

export function createSummaryWrites(models: Models): SummaryWrites {
  return {
    summariseHours: (source, span) => summariseHours(models, source, span),
    noteSummaries: (owner, atMs) => noteSummaries(models.statuses, owner, atMs),
  };
}
