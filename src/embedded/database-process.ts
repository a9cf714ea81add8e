/** The database as a child process: the embedded database, or a mongod. Each of the two has its own folder. */
import { connect } from 'node:net';
import { join } from 'node:path';
import { type DatabaseAddress, findSocketPath } from './database-address';
import type { DatabaseServer } from './database-sources';
import { isPresent } from './install-once';
import { callFollowingProgram, callForeignProgram, type ProgramCall } from './own-program';
import type { ProcessPlan } from './supervised-process';

export type LocalDatabase = Exclude<DatabaseServer, { kind: 'address' }>;

export interface DatabaseProcess {
  readonly server: LocalDatabase;
  /** Data folder of all-in-one. */
  readonly folder: string;
  readonly address: DatabaseAddress;
  readonly environment: NodeJS.ProcessEnv;
}

const FOLDERS = { embedded: 'database-embedded', mongod: 'database-mongod' } as const;

export async function findDatabaseWithData(
  folder: string,
): Promise<LocalDatabase['kind'] | undefined> {
  if (await isPresent(join(folder, FOLDERS.embedded))) return 'embedded';
  if (await isPresent(join(folder, FOLDERS.mongod))) return 'mongod';
  return undefined;
}

/** Returns the folder in which this type of database stores its data. */
export function buildDatabaseFolder(folder: string, kind: LocalDatabase['kind']): string {
  return join(folder, FOLDERS[kind]);
}

/** Returns the socket of the database. null means that the database needs a loopback port. */
export function findSocket(folder: string, kind: LocalDatabase['kind']): string | null {
  return kind === 'embedded' ? findSocketPath(folder) : null;
}

/** True if something accepts connections at this socket or port. */
function isListening(address: DatabaseAddress): Promise<boolean> {
  const where =
    'socket' in address ? { path: address.socket } : { port: address.port, host: '127.0.0.1' };
  return new Promise((resolve) => {
    const socket = connect(where);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function callDatabase({ server, folder, address }: DatabaseProcess): ProgramCall {
  const data = buildDatabaseFolder(folder, server.kind);
  const where =
    'socket' in address ? ['--socket', address.socket] : ['--port', String(address.port)];
  if (server.kind === 'embedded')
    return callFollowingProgram('embedded/database/main', ['--dir', data, ...where]);
  const args = ['--dbpath', data, ...where, '--bind_ip', '127.0.0.1', '--quiet'];
  return callForeignProgram(server.path, args);
}

/** Describes how to start the process of the database. The data folder must exist. */
export function planDatabase(database: DatabaseProcess): ProcessPlan {
  return {
    name: 'database',
    stage: 'database',
    ...callDatabase(database),
    environment: database.environment,
    isReady: () => isListening(database.address),
  };
}
