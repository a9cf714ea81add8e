/** The words that the sections of the settings have in common. */

export const TEXT = {
  settings: 'Settings',
  sections: 'Sections of the settings',
  noSection: 'This section does not exist or is for admins only.',
  name: 'Name',
  done: 'Done',
  create: 'Create',
  shownOnce: 'Copy it now. You won’t be able to see it again.',
} as const;
