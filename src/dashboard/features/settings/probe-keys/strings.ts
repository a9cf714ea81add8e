/** The words of the keys of probes. */
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

/** What to run on the machine of the probe. */
export function startCommand(key: string, origin: string): string {
  return [
    `export KEEPWATCH_PROBE_KEY=${key}`,
    `export KEEPWATCH_API_URL=${origin}`,
    'export TEMPORAL_ADDRESS=temporal.example.com:7233',
    'npm run start:probe',
  ].join('\n');
}
