/** The words of the secrets. */

export const TEXT = {
  about:
    'Values that requests carry but nobody reads: write {{secret:NAME}} in a header or a body. They are masked in everything that comes back.',
  add: 'Add secret',
  newValue: 'New value',
  noneTitle: 'No secrets yet',
  none: 'Keep tokens and passwords here, and name them in monitors and scenarios.',
  noneReadOnly: 'An editor of this account can add tokens and passwords here.',
  unused: 'Not used',
  nameHint: 'Letters, digits, _ . and -. A name that there is already gets the new value.',
  hostsHint:
    'Where it may be sent: api.example.com, or *.example.com for all names under it. Empty: anywhere.',
  valueHint: 'It can be replaced later, but never read.',
  saved: 'The secret is saved. Probes use it within a minute.',
  deleted: 'The secret is deleted.',
} as const;
