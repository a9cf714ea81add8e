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
  encryption: [
    'Everything that Keepwatch sends to the probes of a region is encrypted with a key of that region.',
    'Rotate it after you revoke a probe that someone else may control: that probe then cannot read new checks and secrets. It need not be rotated regularly.',
    'During a rotation, checks go on and no probe restarts. What was sent before stays readable with the old key, so also replace the secrets that checks in this region use.',
  ],
} as const;
