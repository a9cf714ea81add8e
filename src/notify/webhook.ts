/**
 * Alerts to a webhook: one JSON event, signed so that the receiver knows whose it is and when it was
 * made. The signature is HMAC-SHA256 over `<timestamp>.<body>`.
 */
import { createHmac } from 'node:crypto';
import type { AlertMessage } from '../contracts/alerts';
import { outcomeOfPost, type PostJson } from './post-json';
import type { Sender } from './sender';
import { wordsOf } from './words';

export function createWebhookSender(post: PostJson, publicUrl: string): Sender<'webhook'> {
  return async ({ id, alert, address }) => {
    const body = JSON.stringify(webhookEvent(id, alert, publicUrl));
    const timestamp = String(Math.floor(Date.now() / 1000));
    const headers = [
      { name: 'Keepwatch-Event-Id', value: id },
      { name: 'Keepwatch-Timestamp', value: timestamp },
      { name: 'Keepwatch-Signature', value: signatureOf(address.secret, timestamp, body) },
    ];
    return outcomeOfPost(await post({ url: address.url, headers, body }));
  };
}

/** `v1=` and 64 hex characters. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

function webhookEvent(id: string, alert: AlertMessage, publicUrl: string): object {
  const { kind, incidentId, resourceType, resourceId, resourceName, cause, regions } = alert;
  const { headline, link } = wordsOf(alert, publicUrl);
  return {
    id,
    type: `alert.${kind}`,
    createdAt: new Date(alert.atMs).toISOString(),
    headline,
    incidentId,
    resource: { type: resourceType, id: resourceId, name: resourceName },
    since: new Date(alert.sinceMs).toISOString(),
    openedAt: alert.openedAtMs === null ? null : new Date(alert.openedAtMs).toISOString(),
    health: alert.health,
    ends: alert.ends,
    regions,
    cause,
    assertion: alert.assertion,
    certificate: certificateOf(alert),
    entries: alert.entries.map(({ atMs, ...entry }) => ({
      ...entry,
      at: new Date(atMs).toISOString(),
    })),
    url: link.url,
  };
}

function certificateOf({ certificate }: AlertMessage): object | null {
  if (certificate === null) return null;
  const { expiresAtMs, rungDays, ...facts } = certificate;
  return { ...facts, expiresAt: new Date(expiresAtMs).toISOString(), warnDays: rungDays };
}
