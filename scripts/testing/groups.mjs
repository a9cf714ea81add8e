// Determines the group of a test file from its folder. The group says which servers the file needs and whether a failed
// file is run a second time. The summary adds up costs by group.

/** Folders of tests whose files start whole services or use the shared one. */
const WHOLE_SERVICE = [
  'all-in-one',
  'cli',
  'compose',
  'demo',
  'docs',
  'doctor',
  'e2e',
  'faults',
  'main',
  'ops',
  'temporal',
];
const WORKFLOWS = ['activities', 'replay', 'workflows'];

/**
 * The group of a test file: `browser`, `whole service`, `workflows`, `in process`, or `unit` for a test without
 * servers.
 */
export function groupOf(file) {
  const [, folder] = file.split(/[\\/]/);
  if (WORKFLOWS.includes(folder)) return 'workflows';
  if (!/\.(it|long)\.test\.ts$/.test(file)) return 'unit';
  if (folder === 'dashboard') return 'browser';
  if (WHOLE_SERVICE.includes(folder)) return 'whole service';
  return 'in process';
}

/** True if a failed file is run a second time. Only tests with a browser or several processes can fail by chance. */
export function mayRunAgain(file) {
  return ['browser', 'whole service'].includes(groupOf(file));
}
