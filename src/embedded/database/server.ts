// Starts the database: opens the folder, listens on a socket or loopback, and closes everything in
// order.
import { rmSync } from 'node:fs';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import type { Services } from './commands/command';
import { CursorRegistry } from './commands/cursors';
import { serveConnection } from './connection';
import { MemoryBudget } from './planner/allowance';
import { Catalog } from './storage/catalog';
import { Store } from './storage/store';
import { Sweeper } from './storage/sweeper';
import { TRAFFIC_LIMITS, Traffic, type TrafficLimits } from './wire/traffic';

/** The data folder, and the socket or port to listen on. */
export type DatabaseOptions = { readonly dir: string } & (OnSocket | OnPort);

interface OnSocket {
  /**
   * Path of a Unix socket in a folder that only this user may enter. The folder protects the data, because there is no
   * authentication.
   */
  readonly socket: string;
}

interface OnPort {
  /** The host to listen on. The default is 127.0.0.1, because there is no authentication. */
  readonly host?: string;
  /** The port to listen on. 0 means any free port. */
  readonly port: number;
}

/** The memory limit of all sorts, groups, lists and cursors together. It fits into a heap of 256 MB. */
const MEMORY_BYTES_MAX = 100 * 1024 * 1024;

export interface RunningDatabase {
  /** The port. 0 means that the database listens on a socket. */
  readonly port: number;
  /** Closes all connections, finishes the accepted writes, and releases the folder. */
  readonly close: () => Promise<void>;
}

/**
 * Serves the data in a folder. Rejects with a FolderError when the folder is in use or unreadable, and with the
 * system's error when the port is taken.
 */
export async function startDatabase(
  options: DatabaseOptions,
  limits: TrafficLimits = TRAFFIC_LIMITS,
): Promise<RunningDatabase> {
  const store = Store.open(resolve(options.dir));
  const catalog = new Catalog(store);
  store.onAbort = () => catalog.reload();
  const cursors = new CursorRegistry();
  const sockets = new Set<Socket>();
  const services: Services = {
    store,
    catalog,
    cursors,
    memory: new MemoryBudget(MEMORY_BYTES_MAX),
    sweeper: new Sweeper({ store, catalog }),
    traffic: new Traffic(limits),
    startedAt: new Date(),
    connectionCount: () => sockets.size,
  };
  const server = createServer((socket) => accept(socket, sockets, services));
  try {
    const port = await listen(server, options);
    services.sweeper.start();
    return { port, close: () => shutDown(server, sockets, services) };
  } catch (error) {
    cursors.closeAll();
    await store.close();
    throw error;
  }
}

let lastConnectionId = 0;

function accept(socket: Socket, sockets: Set<Socket>, services: Services): void {
  lastConnectionId += 1;
  const connection = { id: lastConnectionId, openCursors: 0, isOpen: true };
  sockets.add(socket);
  socket.on('close', () => {
    sockets.delete(socket);
    connection.isOpen = false;
    services.cursors.closeForConnection(connection);
  });
  serveConnection(socket, connection, services);
}

function listen(server: Server, options: DatabaseOptions): Promise<number> {
  const where = buildListenOptions(options);
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(where, () => {
      server.removeListener('error', fail);
      const address = server.address();
      done(typeof address === 'object' && address ? address.port : 0);
    });
  });
}

function buildListenOptions(options: DatabaseOptions): ListenOptions {
  if ('port' in options) return { host: options.host ?? '127.0.0.1', port: options.port };
  // A killed process may have left its socket file. It can be removed safely: this process holds the lock of the
  // folder, so no other process is listening.
  rmSync(options.socket, { force: true });
  return { path: options.socket };
}

async function shutDown(server: Server, sockets: Set<Socket>, services: Services): Promise<void> {
  const closed = new Promise<void>((done) => {
    server.close(() => done());
  });
  for (const socket of sockets) socket.destroySoon();
  services.cursors.closeAll();
  await services.sweeper.stop();
  await services.store.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}
