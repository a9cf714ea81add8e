/**
 * Finds out who is working on an incident: who acknowledged it, and who else was notified. If the database is
 * unavailable, alerts are sent without these facts.
 */
import type { EarlierNotification } from '../../contracts/alerting/alert-facts';
import type { AlertMessage, AlertTarget } from '../../contracts/alerts';
import type { AlertChannelStore } from '../../models/alerting/alert-channels';
import type { Alert, AlertStore } from '../../models/alerting/alerts';
import type { Incident } from '../../models/alerting/incidents';
import type { WholeIncidentStore } from '../../models/alerting/whole-incidents';
import type { Logger } from '../../platform/logger';

interface Needs {
  readonly wholeIncidents: {
    readonly findLast: (
      ...incident: Parameters<WholeIncidentStore['findLast']>
    ) => Promise<Pick<Incident, 'acknowledgedAtMs' | 'acknowledgedBy'> | null>;
  };
  readonly alerts: {
    readonly page: (
      ...query: Parameters<AlertStore['page']>
    ) => Promise<{ readonly items: readonly Notified[] }>;
  };
  readonly channels: {
    readonly find: (
      ...channel: Parameters<AlertChannelStore['find']>
    ) => Promise<{ readonly name: string } | null>;
  };
  readonly logger: Pick<Logger, 'warn'>;
}

type Notified = Pick<Alert, 'kind' | 'channelId' | 'recipient' | 'createdAtMs' | 'sentAtMs'>;
type Recipient = Pick<AlertTarget, 'channelId' | 'masked'>;

/** How many deliveries are read, newest first. */
const DELIVERIES_MAX = 100;

/** To a recovery, adds who acknowledged the incident. To a reminder or a later step, adds who else was notified. */
export async function withPeople(
  needs: Needs,
  alert: AlertMessage,
  target: Recipient,
): Promise<AlertMessage> {
  const { kind, incidentId, escalation } = alert;
  if (incidentId === null) return alert;
  try {
    if (kind === 'recovery') return await withAcknowledgement(needs, alert, incidentId);
    const isFurther = kind === 'reminder' || (escalation?.step ?? 1) > 1;
    return isFurther ? await withOthers(needs, { alert, incidentId, target }) : alert;
  } catch (error) {
    needs.logger.warn({ err: error }, 'an alert is sent without the people who were notified');
    return alert;
  }
}

async function withAcknowledgement(
  { wholeIncidents }: Needs,
  alert: AlertMessage,
  incidentId: string,
): Promise<AlertMessage> {
  const last = await wholeIncidents.findLast(alert.accountId, incidentId);
  const { acknowledgedBy: by = null, acknowledgedAtMs: atMs = null } = last ?? {};
  return by === null || atMs === null ? alert : { ...alert, acknowledged: { by, atMs } };
}

interface Asked {
  readonly alert: AlertMessage;
  readonly incidentId: string;
  readonly target: Recipient;
}

async function withOthers(
  { alerts, channels }: Needs,
  { alert, incidentId, target }: Asked,
): Promise<AlertMessage> {
  const { accountId, atMs } = alert;
  const query = { incidentId, resourceId: null, status: 'sent', beforeId: null } as const;
  const { items } = await alerts.page(accountId, { ...query, limit: DELIVERIES_MAX });
  const firstOfEach = new Map<string, Notified>();
  for (const one of items)
    if (one.kind !== 'recovery' && one.createdAtMs < atMs) firstOfEach.set(recipientKey(one), one);
  firstOfEach.delete(recipientKey({ channelId: target.channelId, recipient: target.masked }));
  const others = await Promise.all(
    [...firstOfEach.values()].map(async ({ channelId, recipient, createdAtMs, sentAtMs }) => {
      const channel = channelId === null ? null : await channels.find(accountId, channelId);
      return { name: channel?.name ?? recipient, atMs: sentAtMs ?? createdAtMs };
    }),
  );
  const alsoNotified: readonly EarlierNotification[] = others.toSorted((a, b) => a.atMs - b.atMs);
  return alsoNotified.length === 0 ? alert : { ...alert, alsoNotified };
}

/** Returns one key for all recipients of a channel, so that they count as one recipient. */
function recipientKey({ channelId, recipient }: Pick<Notified, 'channelId' | 'recipient'>): string {
  return channelId ?? recipient;
}
