/** Sends a test message through a channel, now, and tells what became of it. */

import type { AlertMessage } from '../../contracts/alerts';
import type { ChannelTestResponse } from '../../schemas/responses/alerts';
import { mailMarks, takeTries } from '../accounts/login-throttle';
import { findObject } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { targetsOfChannels } from './alert-destinations';
import { alertChannelKind } from './get-alert-channel';

/** One try to a receiver that hangs, and the way there and back. */
export const CHANNEL_TEST_DEADLINE_MS = 60_000;

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'newId'>;

/** Tried once; the record of it stands among the alerts. */
export async function testAlertChannel(
  needs: Needs,
  accountId: string,
  id: string,
): Promise<ChannelTestResponse> {
  const channel = await findObject(alertChannelKind(needs), accountId, id);
  if (channel.type === 'email') await takeTries(needs, mailMarks(accountId, id));
  const nowMs = needs.clock.now();
  const alert: AlertMessage = {
    id: needs.newId('request'),
    kind: 'test',
    accountId,
    incidentId: null,
    resourceType: 'monitor',
    resourceId: '',
    resourceName: channel.name,
    atMs: nowMs,
    sinceMs: nowMs,
    openedAtMs: null,
    health: 'pending',
    ends: [],
    certificate: null,
    cause: null,
    regions: [],
    assertion: null,
    entries: [],
  };
  const places = { channels: [], targets: targetsOfChannels([id], [channel]) };
  const records = await needs.gateway.sendAlert(
    { v: 1, alert, recipients: places },
    CHANNEL_TEST_DEADLINE_MS,
  );
  const deliveries = records.map(({ target, status, attempts }) => ({
    recipient: target.masked,
    status: status === 'sent' ? ('sent' as const) : ('failed' as const),
    detail: attempts.at(-1)?.detail ?? '',
  }));
  const isSent = deliveries.every(({ status }) => status === 'sent');
  return { status: isSent ? 'sent' : 'failed', deliveries };
}
