/** What a template makes of an alert that never happened. Nothing is sent or stored. */
import type { AlertKind } from '../../contracts/alerts';
import type { Config } from '../../notify/channels/channel';
import { sampleAlert } from '../../notify/sample-alerts';
import { composeMessage } from '../../notify/sender';
import type { AlertPreviewResponse } from '../../schemas/responses/alerts';
import { findObject } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { templateOf } from './alert-destinations';
import { alertChannelKind } from './get-alert-channel';
import { channelOf } from './save-alert-channel';

interface PreviewRequest {
  readonly type: string;
  readonly template: unknown;
  readonly kind: AlertKind;
  readonly contentType?: string | undefined;
}

export function previewAlert(
  { clock, publicUrl }: Pick<Dependencies, 'clock' | 'publicUrl'>,
  { type, template, kind, contentType }: PreviewRequest,
): AlertPreviewResponse {
  const channel = channelOf(type);
  const config: Config = contentType === undefined ? {} : { contentType };
  const sentAtMs = clock.now();
  const composing = {
    id: 'alr_00000000000000000000000000',
    alert: sampleAlert(kind, sentAtMs),
    sentAtMs,
    template: templateOf({ template }),
    address: { config },
  };
  const { message, fault } = composeMessage(channel, composing, publicUrl);
  const isBody = channel.hasBodyTemplate && message.isCustom;
  return { title: isBody ? null : message.title, text: message.text, fault };
}

/** With the template that the channel has, unless another one is given. */
export async function previewChannel(
  needs: Pick<Dependencies, 'stores' | 'clock' | 'publicUrl'>,
  accountId: string,
  {
    id,
    ...given
  }: Pick<PreviewRequest, 'kind'> & { readonly id: string; readonly template?: unknown },
): Promise<AlertPreviewResponse> {
  const { type, config } = await findObject(alertChannelKind(needs), accountId, id);
  const { contentType } = config;
  return previewAlert(needs, {
    type,
    kind: given.kind,
    template: given.template ?? config['template'],
    contentType: typeof contentType === 'string' ? contentType : undefined,
  });
}
