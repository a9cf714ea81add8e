/** Texts of hours. */
export const TEXT = {
  about:
    'Weekly hours for checks and alert policies. Outside them, nobody is notified or nothing is checked.',
  add: 'Add hours',
  noneTitle: 'No hours yet',
  none: 'Define when your service is open, then choose the hours in a check.',
  noneReadOnly: 'An editor of this account can add hours here.',
} as const;
