/** Tries an alert channel. Renders a preview of its messages, or sends a test message. */
import type { AlertKind } from '../../contracts/alerting/alert-kinds';
import type { AlertMessage } from '../../contracts/alerts';
import { buildAcknowledgePageUrl, isAcknowledgeable } from '../../notify/acknowledge-link';
import type { Config } from '../../notify/channels/channel';
import { createSampleAlert } from '../../notify/sample-alerts';
import { composeMessage } from '../../notify/sender';
import type { AlertPreviewResponse, ChannelTestResponse } from '../../schemas/responses/alerts';
import type { RunTextJob } from '../../text/text-task';
import { listMailCounters, takeTries } from '../accounts/login-throttle';
import { findTypedObject } from '../objects/object-type';
import type { Dependencies } from '../ports/dependencies';
import { ALERT_CHANNELS } from './alert-channels';
import { listChannelTargets, readTemplate } from './alert-destinations';
import { refuseTemplate } from './refuse-template';
import { requireChannel } from './save-alert-channel';

interface PreviewRequest {
  readonly type: string;
  readonly template: unknown;
  readonly kind: AlertKind;
  readonly contentType?: string | undefined;
}

/** Renders a preview. Throws `validation_failed` for a template that does not work. */
export async function previewAlert(
  needs: Pick<Dependencies, 'clock' | 'publicUrl' | 'runTextJob'>,
  accountId: string,
  request: PreviewRequest,
): Promise<AlertPreviewResponse> {
  await refuseTemplate(needs, { accountId, given: { template: request.template } });
  return preview(needs, accountId, request);
}

async function preview(
  { clock, publicUrl, runTextJob: run }: Pick<Dependencies, 'clock' | 'publicUrl' | 'runTextJob'>,
  accountId: string,
  { type, template, kind, contentType }: PreviewRequest,
): Promise<AlertPreviewResponse> {
  const runTextJob: RunTextJob = (job) => run({ ...job, owner: accountId });
  const channel = requireChannel(type);
  const config: Config = contentType === undefined ? {} : { contentType };
  const sentAtMs = clock.now();
  const alert = createSampleAlert(kind, sentAtMs);
  const composing = {
    id: 'alr_00000000000000000000000000',
    alert,
    sentAtMs,
    acknowledgeUrl: isAcknowledgeable(alert) ? buildAcknowledgePageUrl(publicUrl, '…') : null,
    template: readTemplate({ template }),
    address: { config },
  };
  const { message, fault } = await composeMessage(channel, composing, { publicUrl, runTextJob });
  const isBody = channel.hasBodyTemplate && message.isCustom;
  return { title: isBody ? null : message.title, text: message.text, fault };
}

/** Renders a preview for a stored channel. If no template is given, the template of the channel is used. */
export async function previewChannel(
  needs: Pick<Dependencies, 'stores' | 'clock' | 'publicUrl' | 'runTextJob'>,
  accountId: string,
  {
    id,
    ...given
  }: Pick<PreviewRequest, 'kind'> & { readonly id: string; readonly template?: unknown },
): Promise<AlertPreviewResponse> {
  const { type, config } = await findTypedObject(needs, ALERT_CHANNELS, { accountId, id });
  const { contentType } = config;
  await refuseTemplate(needs, { accountId, given, stored: config });
  return preview(needs, accountId, {
    type,
    kind: given.kind,
    template: given.template ?? config['template'],
    contentType: typeof contentType === 'string' ? contentType : undefined,
  });
}

/**
 * The time limit of a test. It is long enough for one attempt at a receiver that does not respond, plus the request
 * itself.
 */
export const CHANNEL_TEST_DEADLINE_MS = 60_000;

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'newId'>;

/** Sends a test message. Makes one attempt, which is recorded among the alerts. */
export async function testAlertChannel(
  needs: Needs,
  accountId: string,
  id: string,
): Promise<ChannelTestResponse> {
  const channel = await findTypedObject(needs, ALERT_CHANNELS, { accountId, id });
  if (channel.type === 'email') await takeTries(needs, listMailCounters(accountId, id));
  const nowMs = needs.clock.now();
  const alert: AlertMessage = {
    id: needs.newId('request'),
    kind: 'test',
    accountId,
    incidentId: null,
    resourceType: 'monitor',
    resourceId: channel.id,
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
  const places = { channels: [], targets: listChannelTargets([id], [channel]) };
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
