/**
 * Reads a Checkly project without running it. Finds the constructs in its files, and adds the defaults of their group
 * and of `checkly.config`. Notes name the file and line of unreadable parts.
 */

import { basename, dirname, join } from 'node:path';
import { cutText } from '../../../domain/text/cut-text';
import { readRecord } from '../../../schemas/loose';
import { formatReason } from '../../cli-error';
import { isRecord } from '../../files/parse-documents';
import { CHANNEL_WORDS } from '../channel-source';
import { joinTls } from '../connection/tls';
import { hasPlaceholder, listPlaceholders, withReferences } from '../environment-placeholders';
import {
  createKeyMaker,
  dropEmptyFields,
  type Fields,
  type Imported,
  type ImportNote,
} from '../imported';
import { createModuleReader, type SourceFile, type SourceModule } from '../source-module';
import { type Reading, readValue, Unreadable } from '../static-values';
import { HTTP_TYPES, importCheck } from './checkly';
import { importChannel, importExpiryWarnings, importWindow, isChannel } from './checkly-channels';
import { checkShape, formatFault } from './checkly-check';
import { type Found, findConstructs } from './checkly-constructs';
import { listAt, mergeFields, mergeRequest } from './checkly-defaults';
import { importHeartbeat, isHeartbeat } from './checkly-heartbeats';
import { Construct, checklyLanguage } from './checkly-language';

const KIND_OF_CHECK: Readonly<Record<string, string>> = {
  ApiCheck: 'API',
  UrlMonitor: 'URL',
  TcpMonitor: 'TCP',
  // The name of `TcpMonitor` in earlier releases.
  TcpCheck: 'TCP',
  DnsMonitor: 'DNS',
  IcmpMonitor: 'ICMP',
  SslMonitor: 'SSL',
};
/** Constructs that only set defaults. Notes about them appear with the checks. */
const SILENT: readonly string[] = ['CheckGroup', 'CheckGroupV1', 'CheckGroupV2'];
const CONFIG_FILE = /^checkly\.config\.[cm]?[jt]s$/;
const SUFFIXES = ['', '.ts', '.js', '.mts', '.mjs', '.cjs', '/index.ts', '/index.js'];
const BROWSER_FIELDS = ['browserChecks', 'multiStepChecks', 'playwrightConfigPath'];
interface Project {
  readonly modules: ReadonlyMap<string, SourceModule>;
  readonly reading: Reading;
  readonly notes: ImportNote[];
}

/** Imports the project. Problems with the content of a file become notes and are never thrown. */
export async function importChecklyProject(files: readonly SourceFile[]): Promise<Imported> {
  const project = await openProject(files);
  const { reading, notes } = project;
  const found = [...project.modules.values()].flatMap((module) => listConstructs(module, project));
  const defaults = readDefaults(project);
  const channels = importChannels(found, reading);
  const channelKeys = new Map(channels.map(({ construct, key }) => [construct, key]));
  const findKey = createKeyMaker();
  const monitors = found.flatMap((construct) => {
    const monitor = importMonitor(construct, { defaults, channelKeys, findKey, reading });
    return monitor === null ? [] : [monitor];
  });
  const windows = found.filter(({ kind }) => kind === 'MaintenanceWindow');
  const windowKeyOf = createKeyMaker();
  const maintenanceWindows = windows.flatMap((construct) => {
    const window = importWindow(construct, windowKeyOf(construct.id));
    if (window === null) notes.push(noteOn(construct, 'has no times that can be read'));
    return window === null ? [] : [window];
  });
  const alertChannels = channels.map(({ definition }) => definition);
  const definitions = { alertChannels, maintenanceWindows, monitors };
  const names = listPlaceholders(definitions);
  return {
    ...withReferences(definitions, names),
    env: listDeclarations(reading, names),
    notes: notes.map((note) => withReferences(note, names)).sort(byPosition),
  };
}

/** Lists the environment variables to declare. A default that is itself a variable is ignored. */
function listDeclarations({ env }: Reading, names: ReadonlySet<string>): Imported['env'] {
  return [...names].map((name) => {
    const byDefault = env.get(name);
    return byDefault === undefined || hasPlaceholder(byDefault)
      ? name
      : { name, default: byDefault };
  });
}

function byPosition(a: ImportNote, b: ImportNote): number {
  return a.name.localeCompare(b.name, 'en', { numeric: true });
}

async function openProject(files: readonly SourceFile[]): Promise<Project> {
  const notes: ImportNote[] = [];
  const readModule = await createModuleReader();
  const modules = new Map<string, SourceModule>();
  for (const file of files) {
    try {
      modules.set(file.path, readModule(file));
    } catch (error) {
      notes.push({
        name: file.shown,
        message: `is not TypeScript or JavaScript: ${formatReason(error)}`,
      });
    }
  }
  const moduleAt = (from: string, importer: SourceModule): SourceModule | null => {
    if (!from.startsWith('.')) return null;
    const base = join(dirname(importer.path), from);
    const paths = [...SUFFIXES.map((suffix) => base + suffix), base.replace(/\.js$/, '.ts')];
    return paths.map((path) => modules.get(path)).find((module) => module !== undefined) ?? null;
  };
  const reading: Reading = {
    language: checklyLanguage,
    moduleAt,
    note: (position, message) => notes.push({ name: position, message }),
    env: new Map(),
    known: new Map(),
  };
  return { modules, reading, notes };
}

function listConstructs(module: SourceModule, { reading }: Project): readonly Construct[] {
  return findConstructs(module).flatMap((found) => readConstruct(found, { module, reading }));
}

function readConstruct(
  { node, kind, context, position }: Found,
  scope: { readonly module: SourceModule; readonly reading: Reading },
): readonly Construct[] {
  const { note } = scope.reading;
  if (context === 'repeated') {
    note(position, `${kind} is created in a function or a loop; write out each one`);
    return [];
  }
  if (context === 'conditional')
    note(position, `${kind} is inside a condition; it is imported in any case`);
  try {
    const value = readValue(node, scope);
    return value instanceof Construct ? [value] : [];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    note(error.position, `${kind} ${error.message}; left out`);
    return [];
  }
}

function noteOn({ kind, id, position }: Construct, message: string): ImportNote {
  return { name: position, message: `${kind} ${id} ${message}` };
}

/** Reads the defaults for all checks in `checkly.config`. */
function readDefaults({ modules, reading }: Project): Fields {
  const module = [...modules.values()].find(({ path }) => CONFIG_FILE.test(basename(path)));
  const node = module?.exported.get('default');
  if (module === undefined || node === undefined) return {};
  try {
    const config = readValue(node, { module, reading });
    const checks = isRecord(config) ? config['checks'] : undefined;
    if (!isRecord(checks)) return {};
    const { locations, ...others } = checks;
    const warn = (message: string): void => reading.note(module.shown, message);
    if (BROWSER_FIELDS.some((name) => name in checks))
      warn('finds browser checks by file; they have no counterpart');
    if (Array.isArray(locations) && locations.length > 0)
      warn(`runs checks in ${locations.join(', ')}; set regions to yours, or leave the default`);
    return others;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    reading.note(error.position, `the configuration ${error.message}; its defaults are left out`);
    return {};
  }
}

interface Channel {
  readonly construct: Construct;
  readonly key: string;
  readonly definition: Fields;
}

function importChannels(found: readonly Construct[], { note }: Reading): readonly Channel[] {
  const findKey = createKeyMaker(CHANNEL_WORDS, 'channel');
  return found.flatMap((construct) => {
    if (!isChannel(construct.kind)) return [];
    const key = findKey(construct.id);
    const warn = (message: string) => note(construct.position, `${construct.kind} ${message}`);
    const definition = importChannel(construct, { key, note: warn });
    return definition === null ? [] : [{ construct, key, definition }];
  });
}

interface Context {
  readonly defaults: Fields;
  readonly channelKeys: ReadonlyMap<Construct, string>;
  readonly findKey: (id: string) => string;
  readonly reading: Reading;
}

function importMonitor(construct: Construct, context: Context): Fields | null {
  const { kind, id, fields, position } = construct;
  if (isChannel(kind) || SILENT.includes(kind) || kind === 'MaintenanceWindow') return null;
  const { note, env } = context.reading;
  const checkType = KIND_OF_CHECK[kind];
  if (checkType === undefined && !isHeartbeat(kind)) {
    note(position, `${kind} ${id} has no counterpart${hintFor(kind)}`);
    return null;
  }
  const name = typeof fields['name'] === 'string' ? fields['name'] : id;
  const warn = (message: string): void => note(position, `${name}: ${message}`);
  if (fields['testOnly'] === true) {
    warn('is for tests only; left out');
    return null;
  }
  const group = fields['group'] ?? fields['groupId'];
  const groupFields = group instanceof Construct ? group.fields : {};
  const merged = mergeFields(fields, groupFields, context.defaults);
  const { tls, failuresBeforeDown, ...alerting } = importAlerts(merged, { context, warn });
  const shared = { ...importGroup(groupFields), ...alerting };
  if (checkType === undefined) {
    const heartbeat = importHeartbeat({ id }, merged, { findKey: context.findKey, note: warn });
    return heartbeat && { ...heartbeat, ...shared };
  }
  const isHttp = HTTP_TYPES.includes(checkType);
  const { request } = merged;
  const whole = isHttp && isRecord(request) ? mergeRequest(request, groupFields) : request;
  const parsed = checkShape.safeParse({ ...merged, name, checkType, request: whole });
  if (!parsed.success) {
    warn(`${formatFault(parsed.error)}; left out`);
    return null;
  }
  const monitor = importCheck(parsed.data, {
    newKey: () => context.findKey(id),
    note: warn,
    declare: (variable) => env.set(variable, env.get(variable)),
  });
  const warnings = isHttp
    ? joinTls(readRecord(monitor?.['tls']), readRecord(tls))
    : monitor?.['tls'];
  return (
    monitor && { ...monitor, ...shared, ...dropEmptyFields({ failuresBeforeDown, tls: warnings }) }
  );
}

function hintFor(kind: string): string {
  if (kind === 'MultiStepCheck') return '; write its requests as the steps of a scenario';
  return kind.endsWith('AlertChannel') ? '; use a webhook' : '';
}

function importGroup({ name }: Fields): Fields {
  return typeof name === 'string' ? { group: cutText(name.replaceAll('/', ' '), 100) } : {};
}

function importAlerts(
  merged: Fields,
  { context, warn }: { readonly context: Context; readonly warn: (message: string) => void },
): Fields {
  const { alertEscalationPolicy: policy } = merged;
  const isByRuns = isRecord(policy) && policy['kind'] === 'runBasedEscalation';
  if (isRecord(policy) && !isByRuns) warn('alerts after a time; use failuresBeforeDown');
  const amount = isByRuns ? Number(policy['amount']) : Number.NaN;
  const failures = amount >= 1 && amount <= 10 ? { failuresBeforeDown: amount } : {};
  const constructs = listAt(merged, 'alertChannels').filter((each) => each instanceof Construct);
  const channels = constructs.flatMap((each) => context.channelKeys.get(each) ?? []);
  if (channels.length === 0) return failures;
  const onDegraded = constructs.some(({ fields }) => fields['sendDegraded'] === true);
  const tls = importExpiryWarnings(constructs.map(({ fields }) => fields));
  return { ...failures, ...tls, alerts: { channels, ...(onDegraded && { onDegraded }) } };
}
