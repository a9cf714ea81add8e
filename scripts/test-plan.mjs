// Which files with real servers `npm test` runs, and which of them beside each other. Run by itself it
// prints the plan as JSON.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './install.mjs';

/** Folders of test whose files start a service of their own, and wait for it most of the time. */
const WHOLE_SERVICE = [
  'all-in-one',
  'cli',
  'compose',
  'demo',
  'doctor',
  'e2e',
  'faults',
  'main',
  'ops',
  'temporal',
];
/** Folders whose files open a browser besides, which works hard. */
const WITH_BROWSER = ['dashboard'];
/** Folders whose files need a database in their own process, and little else. */
const WITH_DATABASE = ['api', 'models', 'services'];
/** What needs the machine to itself. */
const ALONE = [join('test', 'e2e', 'steady-checks.it.test.ts')];
const inFolders = (names) => names.map((name) => join('test', name, '/'));
const others = readdirSync(join(root, 'test'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => ![...WHOLE_SERVICE, ...WITH_BROWSER, ...WITH_DATABASE].includes(name));
const withService = WHOLE_SERVICE.flatMap((folder) =>
  readdirSync(join(root, 'test', folder), { recursive: true })
    .filter((name) => name.endsWith('.it.test.ts'))
    .map((name) => join('test', folder, name)),
).filter((file) => !ALONE.includes(file));

/** What follows `jest` in each run: folders or files. */
export const PLAN = {
  /** Two at a time. */
  withDatabase: inFolders(WITH_DATABASE),
  /** Three at a time: workflows wait for a clock or a server half of their time. */
  others: inFolders(others),
  /** One at a time. */
  alone: ALONE,
  /** Two at a time. */
  withBrowser: inFolders(WITH_BROWSER),
  /** Three at a time. */
  withService,
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log(JSON.stringify(PLAN));
