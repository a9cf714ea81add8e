/** Texts of hours. */
export const TEXT = {
  about:
    'When a check runs or may notify, and when a step of an alert policy applies. Choose hours in a check or a policy.',
  add: 'Add hours',
  noneTitle: 'No hours yet',
  none: 'Define when your service is open, then choose the hours in a check.',
  noneReadOnly: 'An editor of this account can add hours here.',
} as const;
