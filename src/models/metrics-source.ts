/**
 * Reads over all accounts for the operator's metrics: monitors with their health, and counts. Every
 * query is bounded or counts by an index.
 */
import type { Health } from '../contracts/records';
import type { MetricsStore, MonitorMetricsRow } from '../services/history-store';
import type { Models } from './collections';
import { oneOf } from './filters';

const STATUS_BATCH = 1_000;

type Needs = Pick<Models, 'monitors' | 'statuses' | 'incidents'>;

export function createMetricsSource({ monitors, statuses, incidents }: Needs): MetricsStore {
  return {
    async listMonitors(limit) {
      const found = await monitors
        .find({}, { accountId: 1, name: 1, groupKey: 1, state: 1 })
        .sort({ _id: -1 })
        .limit(limit)
        .lean();
      const rows: MonitorMetricsRow[] = [];
      for (let start = 0; start < found.length; start += STATUS_BATCH) {
        const batch = found.slice(start, start + STATUS_BATCH);
        const known = await statuses
          .find(
            { _id: oneOf(batch.map(({ _id }) => _id)) },
            { health: 1, regionsHealth: 1, tlsExpiresAt: 1, nextSlotMs: 1 },
          )
          .lean();
        const statusOf = new Map(known.map((status) => [status._id, status]));
        for (const { _id, accountId, name, groupKey, state } of batch) {
          const status = statusOf.get(_id);
          rows.push({
            id: _id,
            accountId,
            name,
            groupKey,
            isPaused: state === 'paused',
            health: status?.health ?? 'pending',
            regionsHealth: status?.regionsHealth ?? [],
            tlsExpiresAt: status?.tlsExpiresAt ?? null,
            nextSlotMs: status?.nextSlotMs ?? null,
          });
        }
      }
      return rows;
    },
    async count() {
      const [byHealth, openIncidents] = await Promise.all([
        statuses.aggregate<{ _id: Health; count: number }>([
          { $group: { _id: '$health', count: { $sum: 1 } } },
        ]),
        incidents.countDocuments({ open: true }),
      ]);
      return {
        byHealth: byHealth.map(({ _id, count }) => ({ health: _id, count })),
        openIncidents,
      };
    },
  };
}
