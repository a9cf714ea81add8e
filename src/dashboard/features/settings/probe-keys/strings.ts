/** Texts of the probe keys. */
export const TEXT = {
  about:
    'Each probe has a key of its own, which names its region. A revoked key is refused at once.',
  add: 'Create probe key',
  noneTitle: 'No probe keys yet',
  none: 'Create one to run a probe on another machine.',
  rotate: 'Rotate',
  rotateRegion: 'Rotate encryption key',
  revoke: 'Revoke',
} as const;
