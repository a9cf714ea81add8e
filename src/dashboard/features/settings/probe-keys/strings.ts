/** The words of the keys of probes. */

export const TEXT = {
  about:
    'Each probe has a key of its own, which names its region. A revoked key is refused at once.',
  add: 'Create probe key',
  noneTitle: 'No probe keys yet',
  none: 'Create one to run a probe on another machine.',
  region: 'Region',
  regionHint: 'A region of the list, or a new one like eu-north.',
  nameHint: 'What the probe is called here, for example “rack 4”.',
  key: 'Probe key',
  start: 'Start the probe',
  created: 'Copy it now. You won’t be able to see it again.',
  rotate: 'Rotate',
  rotateText:
    'You get a new key for the same region. The current one works until you revoke it, so that the probe can change over first.',
  rotated:
    'Copy it now. You won’t be able to see it again. Set it at the probe, restart the probe, then revoke the old key.',
  rotateRegion: 'Rotate encryption key',
  rotateRegionText:
    'New checks of this region are encrypted with a key that revoked probes don’t have. Running probes take it over by themselves.',
  regionRotated: 'Encryption key rotated.',
  revoke: 'Revoke',
  revoked: 'Revoked',
  revokeText:
    'A probe with this key ends within 20 seconds. If it is the only one of its region, no checks run there. This can’t be undone.',
  revokedNow: 'Probe key revoked.',
} as const;

/** What to run on the machine of the probe. */
export function startCommand(key: string, origin: string): string {
  return [
    `export KEEPWATCH_PROBE_KEY=${key}`,
    `export KEEPWATCH_API_URL=${origin}`,
    'export TEMPORAL_ADDRESS=temporal.example.com:7233',
    'npm run start:probe',
  ].join('\n');
}
