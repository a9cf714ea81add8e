/** The words of the regions page. */

export const TEXT = {
  title: 'Regions',
  about: 'Where checks run. Each region has one or more probes.',
  noneTitle: 'No regions yet',
  none: 'Start a probe as described below. It appears here within a few seconds.',
  online: 'Online',
  offline: 'Offline: no checks run here',
  noBacklog: 'No backlog',
  backlogUnknown: 'Backlog unknown: Temporal is not responding',
  suspect: 'Network problem in this region: its results are not counted',
  addTitle: 'Add a region',
  addMore:
    'It has no access to the database. Start a second probe in the same region for more throughput.',
} as const;

/** What to run on the machine of the new region. */
export function probeExample(origin: string): string {
  return [
    'export KEEPWATCH_PROBE_KEY="$(keepwatch regions add-probe ap-south)"',
    `export KEEPWATCH_API_URL=${origin}`,
    'export TEMPORAL_ADDRESS=temporal.example.com:7233',
    'npm run start:probe',
  ].join('\n');
}
