/** The words of the alert channels. */
import type { AlertChannel } from '../../../shared/data/api-types';

export const TYPE_WORDS: Readonly<Record<AlertChannel['type'], string>> = {
  email: 'Email',
  slack: 'Slack',
  webhook: 'Webhook',
};

export const TEXT = {
  about:
    'Where alerts go. Monitors and scenarios tell the default channel of each kind unless they name others.',
  add: 'Add channel',
  edit: 'Edit channel',
  noneTitle: 'Nobody is told yet',
  none: 'Add an email address, a Slack webhook or a webhook of your own, and send a test to it.',
  noneReadOnly: 'An editor of this account can add an email address, Slack or a webhook.',
  type: 'Kind',
  emails: 'Email addresses',
  emailsHint: 'Up to 20. Press Enter after each.',
  slackUrl: 'Address of the incoming webhook',
  slackHint: 'Made in Slack under Apps → Incoming Webhooks.',
  webhookUrl: 'Address',
  webhookHint: 'Gets a signed POST for each alert.',
  keep: 'Leave empty to keep the address there is.',
  isDefault: 'Default channel of its kind',
  default: 'Default',
  test: 'Send test',
  signingSecret: 'Signing secret',
  signingTitle: 'The signing secret of this webhook',
  deleteText:
    'Nothing is sent there any more. Monitors and scenarios that name it go on without it.',
  deleted: 'The channel is deleted.',
  saved: 'The channel is saved.',
} as const;
