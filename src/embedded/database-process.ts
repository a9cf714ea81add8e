/** The database as a child process: the embedded one, or a mongod. Each has a folder of its own. */
import { connect } from 'node:net';
import { join } from 'node:path';
import type { DatabaseServer } from './database-sources';
import { isPresent } from './install-once';
import { callFollowingProgram, callForeignProgram, type ProgramCall } from './own-program';
import type { ProcessPlan } from './supervised-process';

export type LocalDatabase = Exclude<DatabaseServer, { kind: 'address' }>;

export interface DatabaseProcess {
  readonly server: LocalDatabase;
  /** Data folder of all-in-one. */
  readonly folder: string;
  readonly port: number;
  readonly environment: NodeJS.ProcessEnv;
}

const FOLDERS = { embedded: 'database-embedded', mongod: 'database-mongod' } as const;

/** The engine that already holds data in this folder, so that a restart never loses sight of it. */
export async function engineWithData(folder: string): Promise<LocalDatabase['kind'] | undefined> {
  if (await isPresent(join(folder, FOLDERS.embedded))) return 'embedded';
  if (await isPresent(join(folder, FOLDERS.mongod))) return 'mongod';
  return undefined;
}

/** The folder in which an engine keeps its data. */
export function databaseFolder(folder: string, kind: LocalDatabase['kind']): string {
  return join(folder, FOLDERS[kind]);
}

/** True when somebody accepts connections on the loopback port. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function callDatabase({ server, folder, port }: DatabaseProcess): ProgramCall {
  const data = databaseFolder(folder, server.kind);
  if (server.kind === 'embedded') {
    const args = ['--dir', data, '--port', String(port)];
    return callFollowingProgram('embedded/database/main', args);
  }
  const args = ['--dbpath', data, '--port', String(port), '--bind_ip', '127.0.0.1', '--quiet'];
  return callForeignProgram(server.path, args);
}

/** How the database is started on loopback; its data folder must exist. */
export function planDatabase(database: DatabaseProcess): ProcessPlan {
  return {
    name: 'database',
    stage: 'database',
    ...callDatabase(database),
    environment: database.environment,
    isReady: () => isListening(database.port),
  };
}
