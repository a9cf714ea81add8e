/** Counts the outcomes of all alerts that were due. Pure. */
import type { AlertKind } from '../../contracts/alerting/alert-kinds';
import type { DeliveryStatus } from '../../contracts/alerts';

/** The delivery of one alert to one recipient. */
export interface CountedDelivery {
  readonly incidentId: string | null;
  readonly kind: AlertKind;
  readonly channelId: string | null;
  readonly recipient: string;
  readonly status: DeliveryStatus;
}

/** The counted alerts. `due` is the sum of the three fields after it. */
interface AlertAccount {
  readonly due: number;
  readonly sent: number;
  readonly pending: number;
  readonly failed: number;
  readonly doubled: number;
}

/** Kinds of alerts that an incident sends only once to each recipient. */
const ONCE: readonly AlertKind[] = ['failure', 'recovery', 'degraded'];

export function accountForAlerts(deliveries: readonly CountedDelivery[]): AlertAccount {
  const count = (...states: readonly DeliveryStatus[]): number =>
    deliveries.filter(({ status }) => states.includes(status)).length;
  return {
    due: deliveries.length,
    // Suppressed alerts count as sent, because a digest contained them.
    sent: count('sent', 'suppressed'),
    pending: count('pending'),
    failed: count('failed'),
    doubled: countDoubled(deliveries),
  };
}

function countDoubled(deliveries: readonly CountedDelivery[]): number {
  const sent = deliveries.filter(
    ({ incidentId, kind, status }) =>
      incidentId !== null && ONCE.includes(kind) && (status === 'sent' || status === 'suppressed'),
  );
  const different = sent.map(({ incidentId, kind, channelId, recipient }) =>
    JSON.stringify([incidentId, kind, channelId, recipient]),
  );
  return sent.length - new Set(different).size;
}
