/** The words of the alert channels. */
import type { AlertChannel } from '../../../shared/data/api-types';

export const TYPE_WORDS: Readonly<Record<AlertChannel['type'], string>> = {
  email: 'Email',
  slack: 'Slack',
  webhook: 'Webhook',
};

export const TEXT = {
  about:
    'Where alerts are sent. Monitors and scenarios use the default channel of each type unless they name others.',
  add: 'Add channel',
  edit: 'Edit channel',
  noneTitle: 'No alert channels yet',
  none: 'Add an email address, Slack or a webhook, and send a test.',
  noneReadOnly: 'An editor of this account can add an email address, Slack or a webhook.',
  type: 'Type',
  emails: 'Email addresses',
  emailsHint: 'Up to 20. Press Enter after each.',
  slackUrl: 'Incoming webhook URL',
  slackHint: 'Created in Slack under Apps → Incoming Webhooks.',
  webhookUrl: 'Webhook URL',
  webhookHint: 'Gets a signed POST for each alert.',
  keep: 'Leave empty to keep the current URL.',
  isDefault: 'Default channel of its type',
  default: 'Default',
  test: 'Send test',
  signingSecret: 'Signing secret',
  signingTitle: 'The signing secret of this webhook',
  deleteText: 'Alerts are no longer sent to it. Monitors and scenarios that use it keep running.',
  deleted: 'Channel deleted.',
  saved: 'Channel saved.',
} as const;
