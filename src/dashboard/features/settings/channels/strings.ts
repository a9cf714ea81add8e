/** Texts of the alert channels. */
export const TEXT = {
  about: 'Where alerts are sent. Checks alert the default channels unless you pick others.',
  add: 'Add channel',
  noneTitle: 'No alert channels yet',
  none: 'Add email, a chat, a pager or a webhook, and send a test.',
  noneReadOnly: 'An editor of this account can add email, a chat, a pager or a webhook.',
  preview: 'Preview',
  test: 'Send test',
  unused: 'Not used by any check',
} as const;
