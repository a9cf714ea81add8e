/** Texts of hours. */
export const TEXT = {
  about:
    'Times of the week that checks go by. Outside of them nobody is notified, or nothing is checked.',
  add: 'Add hours',
  noneTitle: 'No hours yet',
  none: 'Define when your service is open, then choose the hours in a check.',
  noneReadOnly: 'An editor of this account can add hours here.',
} as const;
