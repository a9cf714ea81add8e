/** Texts of the regions and their probe keys. */
export const TEXT = {
  about: 'Where checks run. A region has one or more probes, each with its own key.',
  aboutReadOnly: 'Where checks run. A region has one or more probes.',
  addRegion: 'Add region',
  addProbe: 'Add probe',
  create: 'Create key',
  rotate: 'Rotate key',
  revoke: 'Revoke',
  showStart: 'Start command',
  rotateRegion: 'Rotate encryption key',
} as const;
