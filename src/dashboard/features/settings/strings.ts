/** The words that the sections of the settings have in common. */

export const TEXT = {
  settings: 'Settings',
  sections: 'Sections of the settings',
  noSection: 'There is no such section here, or it is for admins only. Choose one from the list.',
  name: 'Name',
  done: 'Done',
  create: 'Create',
  shownOnce: 'This is shown once. Copy it now; it can not be read again.',
} as const;
