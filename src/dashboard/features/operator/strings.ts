/** Texts of the page of operators. */

export const ACCOUNTS = '/v1/operator/accounts';

export const TEXT = {
  title: 'Accounts',
  about: 'All accounts of this installation. You do not see their data unless you are a member.',
  add: 'Create account',
  linkTitle: 'Share this link with the owner',
  linkAbout:
    'Email is not set up, so no message was sent. The link works once, for seven days. You won’t be able to see it again.',
  suspend: 'Suspend',
  resume: 'Resume',
  suspendHint: 'Nothing is checked until you resume the account. Its people see this reason.',
  deleteHint:
    'Everything of this account is deleted: monitors, results, people and keys. This cannot be undone. Type its name to confirm.',
} as const;
