/** Texts of the regions and their probe keys. */
export const TEXT = {
  about: 'Where checks run. Each region has one or more probes. Each probe has its own key.',
  aboutReadOnly: 'Where checks run. Each region has one or more probes.',
  addRegion: 'Add region',
  addProbe: 'Add probe',
  create: 'Create key',
  rotate: 'Rotate key',
  revoke: 'Revoke',
  showStart: 'Show start command',
  rotateRegion: 'Rotate encryption key',
} as const;
