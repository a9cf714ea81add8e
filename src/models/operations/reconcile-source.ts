/**
 * Reads over all accounts for the reconcile pass, which compares the database with Temporal: a few fields of every
 * resource, unfinished runs and pending deliveries.
 */

import type { ResourceKind } from '../../contracts/definition';
import type { EscalationRecord } from '../../contracts/escalation';
import type { RunRecord } from '../../contracts/records';
import type { Alert } from '../alerting/alerts';
import { type AlertDocument, toAlert } from '../alerting/alerts';
import { type EscalationDocument, toEscalationRecord } from '../alerting/escalations';
import type { Models } from '../collections';
import type { Resource } from '../resources/resource';
import type { ResourceDocument } from '../resources/resources';
import { toRunRecord } from '../results/runs';
import { readAll } from '../store/entities';
import { above, below } from '../store/filters';

/** The fields of a monitor or scenario that the reconcile pass compares. */
export type ReconcileEntry = Pick<
  Resource,
  'id' | 'accountId' | 'version' | 'state' | 'updatedAtMs'
>;

/**
 * Reads over all accounts, because Temporal's workflows are not grouped by account. The results contain no definitions.
 */
export interface ReconcileSource {
  /** Lists resources in the order of ids, after the given id. '' starts at the beginning. */
  readonly listEntries: (
    kind: ResourceKind,
    query: { readonly afterId: string; readonly limit: number },
  ) => Promise<readonly ReconcileEntry[]>;
  readonly isPresent: (kind: ResourceKind, id: string) => Promise<boolean>;
  /** Lists unfinished runs that were queued before the instant, in the order of ids. */
  readonly listUnfinishedRuns: (query: {
    readonly queuedBeforeMs: number;
    readonly afterId: string;
    readonly limit: number;
  }) => Promise<readonly RunRecord[]>;
  /** Lists deliveries that have been pending since before the instant, in the order of ids. */
  readonly listPendingAlerts: (query: {
    readonly createdBeforeMs: number;
    readonly afterId: string;
    readonly limit: number;
  }) => Promise<readonly Alert[]>;
  /** Lists escalations that are not over, by the id of their incident. */
  readonly listOpenEscalations: (query: {
    readonly afterId: string;
    readonly limit: number;
  }) => Promise<readonly EscalationRecord[]>;
}

const COMPARED = { accountId: 1, version: 1, state: 1, updatedAtMs: 1 } as const;

type Needs = Pick<Models, 'monitors' | 'scenarios' | 'runs' | 'alerts' | 'escalations'>;

export function createReconcileReads({
  monitors,
  scenarios,
  runs,
  alerts,
  escalations,
}: Needs): ReconcileSource {
  return {
    async listEntries(kind, { afterId, limit }) {
      const page = { _id: above(afterId) };
      const found =
        kind === 'monitor'
          ? await monitors.find(page, COMPARED).sort({ _id: 1 }).limit(limit).lean<Compared[]>()
          : await scenarios.find(page, COMPARED).sort({ _id: 1 }).limit(limit).lean<Compared[]>();
      return found.map(({ _id, ...entry }): ReconcileEntry => ({ ...entry, id: _id }));
    },
    async isPresent(kind, _id) {
      const found =
        kind === 'monitor' ? await monitors.exists({ _id }) : await scenarios.exists({ _id });
      return found !== null;
    },
    listUnfinishedRuns: ({ queuedBeforeMs, afterId, limit }) =>
      readAll(
        runs
          .find({ finished: false, queuedAtMs: below(queuedBeforeMs), _id: above(afterId) })
          .sort({ _id: 1 })
          .limit(limit)
          .lean(),
        toRunRecord,
      ),
    listPendingAlerts: ({ createdBeforeMs, afterId, limit }) =>
      readAll(
        alerts
          .find({ status: 'pending', createdAtMs: below(createdBeforeMs), _id: above(afterId) })
          .sort({ _id: 1 })
          .limit(limit)
          .lean<AlertDocument[]>(),
        toAlert,
      ),
    listOpenEscalations: ({ afterId, limit }) =>
      readAll(
        escalations
          .find({ isOver: false, _id: above(afterId) })
          .sort({ _id: 1 })
          .limit(limit)
          .lean<EscalationDocument[]>(),
        toEscalationRecord,
      ),
  };
}

type Compared = Pick<ResourceDocument, '_id' | keyof typeof COMPARED>;
