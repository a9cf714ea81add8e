/** Texts of environments. */
export const TEXT = {
  about:
    'Values that complete the variables of checks, for example for staging and production. Checks that use a changed environment follow.',
  add: 'Add environment',
  noneTitle: 'No environments yet',
  none: 'Add one, use its variables as {{name}} in a check, then choose it there.',
  noneReadOnly: 'An editor of this account can add environments here.',
} as const;

export const VARIABLES_TEXT = {
  title: 'Variables of the account',
  about: 'All checks can use them as {{name}}. Environments and checks can have other values.',
  none: 'No variables yet.',
} as const;
