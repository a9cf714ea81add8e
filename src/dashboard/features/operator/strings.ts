/** Texts of the operators' page. */

export const ACCOUNTS = '/v1/operator/accounts';

/**
 * The paths that are read again after a change. The session is one of them, because the account menu shows which of the
 * operator's own accounts are suspended.
 */
export const TOUCHED = [ACCOUNTS, '/v1/session'];

export const TEXT = {
  title: 'Accounts',
  about: 'All accounts of this installation. You do not see their data unless you are a member.',
  add: 'Create account',
  linkTitle: 'Share this link with the owner',
  linkAbout:
    'Email is not set up, so no message was sent. The link works once, for seven days. You won’t be able to see it again.',
  setPlan: 'Change plan',
  planHint: 'Everything above the limits of a smaller plan stays, but nothing can be added.',
  suspend: 'Suspend',
  resume: 'Resume',
  suspendHint:
    'Until you resume the account, nothing is checked, and its people can only read. They see this reason.',
  delete: 'Delete',
  deleteHint:
    'Everything of this account is deleted: monitors, results, people and keys. This cannot be undone. Type its name to confirm.',
} as const;
