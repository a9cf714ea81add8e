/** Texts of the page of secrets. */
export const TEXT = {
  about:
    'Tokens and passwords for requests. Use {{secret:NAME}} in a header or body. Nobody can read a value again, and results show it redacted.',
  add: 'Add secret',
  newValue: 'New value',
  noneTitle: 'No secrets yet',
  none: 'Store tokens and passwords here and use them in monitors and scenarios.',
  noneReadOnly: 'An editor of this account can add tokens and passwords here.',
} as const;
