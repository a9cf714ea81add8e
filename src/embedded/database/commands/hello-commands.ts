// The commands that drivers and shells send first, to find out what this server is and supports.
import { Double } from 'bson';
import { DOCUMENT_BYTES_MAX } from '../values/bson-values';
import { MESSAGE_BYTES_MAX } from '../wire/message';
import { type Command, type CommandCall, type CommandResponse, readFlag } from './command';

/** The MongoDB release whose behaviour is imitated. */
export const VERSION = '7.0.0';

const VERSION_ARRAY = [7, 0, 0, 0];
const WIRE_VERSION_MAX = 21;

function hello(call: CommandCall): CommandResponse {
  return { isWritablePrimary: true, ...greeting(call) };
}

function isMaster(call: CommandCall): CommandResponse {
  const ismaster = readFlag(call, 'helloOk')
    ? { helloOk: true, ismaster: true }
    : { ismaster: true };
  return { ...ismaster, ...greeting(call) };
}

// Returns the reply to `hello`. The reply has no logicalSessionTimeoutMinutes. Drivers then open no sessions, which
// this server does not support.
function greeting(call: CommandCall): Record<string, unknown> {
  return {
    maxBsonObjectSize: DOCUMENT_BYTES_MAX,
    maxMessageSizeBytes: MESSAGE_BYTES_MAX,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    connectionId: call.connection.id,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION_MAX,
    readOnly: false,
  };
}

function buildInfo(): CommandResponse {
  return {
    version: VERSION,
    versionArray: VERSION_ARRAY,
    gitVersion: 'keepwatch-embedded',
    modules: ['keepwatch-embedded'],
    sysInfo: 'deprecated',
    storageEngines: ['lmdb'],
    javascriptEngine: 'none',
    bits: 64,
    debug: false,
    maxBsonObjectSize: DOCUMENT_BYTES_MAX,
  };
}

function serverStatus(call: CommandCall): CommandResponse {
  const { startedAt, cursors, connectionCount, store } = call.services;
  const uptimeMs = Date.now() - startedAt.getTime();
  const memory = process.memoryUsage();
  return {
    host: 'localhost',
    version: VERSION,
    process: 'keepwatch-embedded',
    pid: process.pid,
    uptime: new Double(uptimeMs / 1000),
    uptimeMillis: uptimeMs,
    localTime: new Date(),
    connections: { current: connectionCount(), available: 1000 },
    metrics: {
      cursor: { open: { total: cursors.size } },
      writeGroups: store.groupCount,
      commits: store.commitCount,
    },
    mem: { resident: Math.round(memory.rss / 1048576), bits: 64 },
    storageEngine: { name: 'lmdb', persistent: true, readOnly: false },
  };
}

function connectionStatus(): CommandResponse {
  return { authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } };
}

function getParameter(): CommandResponse {
  return { featureCompatibilityVersion: { version: '7.0' } };
}

const HELLO_FIELDS = [
  'helloOk',
  'client',
  'compression',
  'saslSupportedMechs',
  'speculativeAuthenticate',
  'topologyVersion',
  'maxAwaitTimeMS',
  'loadBalanced',
  'hostInfo',
  'backpressure',
  '$readPreference',
];

/** The commands that need no collection. */
export const HELLO_COMMANDS: Readonly<Record<string, Command>> = {
  hello: { fields: HELLO_FIELDS, run: hello },
  isMaster: { fields: HELLO_FIELDS, run: isMaster },
  ismaster: { fields: HELLO_FIELDS, run: isMaster },
  ping: { fields: [], run: () => ({}) },
  buildInfo: { fields: [], run: buildInfo },
  buildinfo: { fields: [], run: buildInfo },
  serverStatus: { fields: ['repl', 'metrics', 'locks'], run: serverStatus },
  connectionStatus: { fields: ['showPrivileges'], run: connectionStatus },
  getParameter: {
    fields: ['featureCompatibilityVersion', 'allParameters', 'showDetails'],
    run: getParameter,
  },
  endSessions: { fields: [], run: () => ({}) },
  whatsmyuri: { fields: [], run: () => ({ you: '127.0.0.1' }) },
  getLog: { fields: [], run: () => ({ totalLinesWritten: 0, log: [] }) },
};
