/**
 * Reads over all accounts for the reconcile pass: a few fields of every row, runs without an end and
 * deliveries that are pending.
 */
import type { ReconcileRow, ReconcileSource } from '../../services/ports/reconcile-ports';
import { type AlertDocument, toAlertRow } from '../alerting/alerts';
import type { Models } from '../collections';
import type { ResourceDocument } from '../resources/resources';
import { toRunRecord } from '../results/runs';
import { above, below } from '../store/filters';

const COMPARED = { accountId: 1, version: 1, state: 1, updatedAtMs: 1 } as const;

type Needs = Pick<Models, 'monitors' | 'scenarios' | 'runs' | 'alerts'>;

export function createReconcileReads({
  monitors,
  scenarios,
  runs,
  alerts,
}: Needs): ReconcileSource {
  return {
    async listRows(kind, { afterId, limit }) {
      const page = { _id: above(afterId) };
      const found =
        kind === 'monitor'
          ? await monitors.find(page, COMPARED).sort({ _id: 1 }).limit(limit).lean<Compared[]>()
          : await scenarios.find(page, COMPARED).sort({ _id: 1 }).limit(limit).lean<Compared[]>();
      return found.map(({ _id, ...row }): ReconcileRow => ({ ...row, id: _id }));
    },
    async isPresent(kind, _id) {
      const found =
        kind === 'monitor' ? await monitors.exists({ _id }) : await scenarios.exists({ _id });
      return found !== null;
    },
    async listUnfinishedRuns({ queuedBeforeMs, afterId, limit }) {
      const found = await runs
        .find({ finished: false, queuedAtMs: below(queuedBeforeMs), _id: above(afterId) })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return found.map(toRunRecord);
    },
    async listPendingAlerts({ owedBeforeMs, afterId, limit }) {
      const found = await alerts
        .find({ status: 'pending', createdAtMs: below(owedBeforeMs), _id: above(afterId) })
        .sort({ _id: 1 })
        .limit(limit)
        .lean<AlertDocument[]>();
      return found.map(toAlertRow);
    },
  };
}

type Compared = Pick<ResourceDocument, '_id' | keyof typeof COMPARED>;
