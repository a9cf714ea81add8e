/** Database rows of deliveries: one row for each alert and recipient. */
import type { AlertInput, AlertTarget, DeliveryRecord, FoldedAlert } from '../../contracts/alerts';
import { listDirectTargets, listFallbackChain } from '../../domain/alerting/fallback-targets';
import type { Alert } from '../../models/alerting/alerts';
import { buildDeliveryId } from '../../services/events/delivery-id';

/**
 * Returns the rows of an alert that is about to be sent. If an earlier workflow of the alert was lost, the rows contain
 * its delivery attempts.
 */
export function buildPendingRows(
  { alert, earlier = {} }: Pick<AlertInput, 'alert' | 'earlier'>,
  targets: readonly AlertTarget[],
): readonly Alert[] {
  return listDirectTargets(targets).map((target) => {
    const attempts = earlier[target.key] ?? [];
    const standby = listFallbackChain(target, targets);
    return buildRow({
      alert,
      target,
      status: 'pending',
      attempts,
      sequence: attempts.length,
      standby,
    });
  });
}

/** Returns the database records of an alert that waits in a digest and has no workflow. */
export function buildFoldingRows({ targets, ...folded }: FoldedAlert): readonly Alert[] {
  return buildPendingRows(folded, targets).map((row) => ({
    ...row,
    pending: row.pending && { ...row.pending, isFolded: true },
  }));
}

/** Returns the database row of an alert that was sent as part of a digest. */
export function buildFoldedRow(
  { alert, earlier }: FoldedAlert,
  target: AlertTarget,
  nowMs: number,
): Alert {
  const detail = 'Folded into a digest: too many alerts at the same time.';
  const folding = { atMs: nowMs, outcome: 'failed' as const, detail };
  const attempts = [...(earlier?.[target.key] ?? []), folding];
  return buildRow({ alert, target, status: 'suppressed', attempts, sequence: attempts.length + 1 });
}

export function buildRow(record: DeliveryRecord): Alert {
  const { alert, target, status, attempts, sequence, standby = [] } = record;
  const sent = attempts.find(({ outcome }) => outcome === 'sent');
  return {
    id: buildDeliveryId(alert, target),
    accountId: alert.accountId,
    incidentId: alert.incidentId,
    resourceId: alert.resourceId,
    kind: alert.kind,
    channelId: target.channelId,
    channelType: target.type,
    recipient: target.masked,
    status,
    attempts,
    sequence,
    createdAtMs: alert.atMs,
    sentAtMs: sent?.atMs ?? null,
    certificate: alert.certificate,
    pending:
      status === 'pending' ? { alert, target, ...(standby.length > 0 && { standby }) } : null,
  };
}
