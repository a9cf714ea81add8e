/** Texts of profiles. */
export const TEXT = {
  about:
    'Values that checks inherit, such as the frequency, regions and alerts. A check can set its own values instead.',
  add: 'Add profile',
  noneTitle: 'No profiles yet',
  none: 'Put the values that many checks share into a profile, then choose it in each check.',
  noneReadOnly: 'An editor of this account can add profiles here.',
} as const;
