/** The words of the regions page. */

export const TEXT = {
  title: 'Regions',
  about: 'Where checks are sent from. Each region has one or more workers, called probes.',
  noneTitle: 'No regions yet',
  none: 'Start a probe as described below; it appears here within a few seconds.',
  online: 'Online',
  offline: 'Offline: nothing is checked from here',
  noBacklog: 'Nothing waits: it keeps up',
  backlogUnknown: 'What waits is not known: Temporal does not answer',
  suspect: 'Its own network seems broken; what it finds counts against nothing',
  addTitle: 'Add a region',
  addMore:
    'It never sees the database. Start a second probe with the same region for more throughput.',
} as const;

/** What to run on the machine of the new region. */
export function probeExample(origin: string): string {
  return [
    'export KEEPWATCH_REGION=ap-south',
    `export KEEPWATCH_HUB_URL=${origin}`,
    'npm run start:probe',
  ].join('\n');
}
