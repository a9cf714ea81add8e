/**
 * `npm run doctor` examines settings, host, servers and workload, and gives advice. Exit code 1 means that something
 * prevents the service from working. `npm run doctor -- owner-link` prints a link that lets an owner sign in.
 */
import { randomBytes } from 'node:crypto';
import { readSettings, type Settings, SettingsError } from '../config/settings';
import { readTemporalSecurity } from '../config/temporal-settings';
import { readWatchdog } from '../config/watchdog-rows';
import { examineDisk, examineMail, examineNode, examineTargets } from '../doctor/examine-host';
import { examineApi, examineDatabase, examineTemporal } from '../doctor/examine-servers';
import { examineWork } from '../doctor/examine-work';
import { examineKey, findInstalled, type Installed } from '../doctor/find-installed';
import {
  examined,
  type Finding,
  failed,
  formatFindings,
  formatReason,
  isHealthy,
  ok,
} from '../doctor/finding';
import { describeOwnerLink } from '../doctor/owner-link';
import { connectDatabase, createStores, type Database, readServerTime } from '../models';
import { createLogger } from '../platform/logger';
import { createSharedClock, startSynchronizing } from '../platform/shared-clock';
import { printUnhandledErrors } from '../platform/start-role';
import { openTemporalView, type TemporalView } from '../temporal/describe-temporal';

const START_IT = 'Start the service, or set';

async function main(isJson: boolean): Promise<number> {
  const findings = await examine();
  const healthy = isHealthy(findings);
  const text = isJson
    ? `${JSON.stringify({ healthy, findings }, null, 2)}\n`
    : formatFindings(findings);
  await new Promise((resolve) => process.stdout.write(text, resolve));
  return healthy ? 0 : 1;
}

/** Prints the link. Throws if there is no database or no matching owner. */
async function printOwnerLink(): Promise<number> {
  const settings = readSettings('all-in-one');
  const installed = await findInstalled(settings);
  const database = await openDatabase(installed);
  if (!('connection' in database)) {
    process.stderr.write(formatFindings([database]));
    return 1;
  }
  try {
    const at = process.argv.indexOf('--email');
    const email = at === -1 ? null : (process.argv[at + 1] ?? null);
    const { KEEPWATCH_PUBLIC_URL: given, PORT } = settings;
    // The port comes from the URL that was found, because all-in-one may listen on a port other than the default.
    const { port } = new URL(installed.apiUrl);
    const publicUrl = given === `http://localhost:${PORT}` ? `http://localhost:${port}` : given;
    process.stdout.write(await describeOwnerLink(database, { publicUrl, email }));
    return 0;
  } finally {
    await database.close();
  }
}

async function examine(): Promise<readonly Finding[]> {
  const node = examineNode(process.versions.node);
  try {
    const settings = readSettings('all-in-one');
    const host = [node, ok('settings', 'usable'), examineMail(settings), examineTargets(settings)];
    return [...host, ...(await examined('data folder', () => examineInstalled(settings)))];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const advice = 'Correct them. docs/settings.md lists all settings.';
    return [node, failed('settings', error.problems.join('; '), advice)];
  }
}

async function examineInstalled(settings: Settings): Promise<readonly Finding[]> {
  const installed = await findInstalled(settings);
  const servers = examined('servers', () => examineServers(settings, installed));
  return [examineKey(installed), await examineDisk(installed.dataFolder), ...(await servers)];
}

async function examineServers(
  settings: Settings,
  installed: Installed,
): Promise<readonly Finding[]> {
  const api = await examineApi(installed.apiUrl);
  const temporal = openTemporal(settings, installed);
  const database = await openDatabase(installed);
  try {
    const servers = [
      ...('connection' in database ? await examineDatabase(database) : [database]),
      temporal === null ? noTemporal(installed) : await examineTemporal(temporal),
      api,
    ];
    // The clock of this host does not matter, because the service uses the database's clock.
    const hasServers = isHealthy(servers.filter(({ name }) => name !== 'clock'));
    if (!hasServers || temporal === null || !('connection' in database)) return servers;
    return [...servers, ...(await examineRunningWork(database, temporal, settings))];
  } finally {
    if ('connection' in database) await database.close();
    await temporal?.close();
  }
}

/** Examines the work of the running service. Uses the database's clock and not the clock of this host. */
async function examineRunningWork(
  database: Database,
  temporal: TemporalView,
  settings: Settings,
): Promise<readonly Finding[]> {
  const clock = createSharedClock();
  const stopSync = await startSynchronizing(clock, () => readServerTime(database));
  try {
    const stores = createStores(database, clock);
    const { KEEPWATCH_REGIONS: configuredRegions } = settings;
    const watchdog = readWatchdog(settings);
    return await examineWork({ stores, temporal, clock, configuredRegions, watchdog });
  } finally {
    stopSync();
  }
}

function openTemporal(settings: Settings, installed: Installed): TemporalView | null {
  const { temporalAddress: address, secretKeys } = installed;
  if (address === null) return null;
  // No encrypted data is read, so any key is good enough.
  const keys = secretKeys.length > 0 ? secretKeys : [randomBytes(32).toString('hex')];
  // All-in-one's own Temporal server needs no TLS and no API key.
  const security = settings.TEMPORAL_ADDRESS === undefined ? {} : readTemporalSecurity(settings);
  return openTemporalView({ address, namespace: settings.TEMPORAL_NAMESPACE, ...security }, keys);
}

async function openDatabase({ mongodbUri, dataFolder }: Installed): Promise<Database | Finding> {
  if (mongodbUri === null)
    return failed('database', `none is recorded in ${dataFolder}`, `${START_IT} MONGODB_URI.`);
  try {
    return await connectDatabase(mongodbUri, { logger: createLogger('doctor', 'silent') });
  } catch (error) {
    const advice = 'Start it, or correct MONGODB_URI. Results wait in Temporal until it is back.';
    return failed('database', formatReason(error), advice);
  }
}

function noTemporal({ dataFolder }: Installed): Finding {
  return failed('Temporal', `none is recorded in ${dataFolder}`, `${START_IT} TEMPORAL_ADDRESS.`);
}

printUnhandledErrors();
void (process.argv[2] === 'owner-link' ? printOwnerLink() : main(process.argv.includes('--json')))
  .catch((error: unknown) => {
    process.stderr.write(`${formatReason(error)}\n`);
    return 1;
  })
  // The process ends explicitly. Otherwise, the client of an unavailable server would retry
  // forever.
  .then((code) => process.exit(code));
