/**
 * Chooses the socket of a local database. The database has no password, so it uses a Unix socket in the data folder, if
 * possible.
 */
import { join } from 'node:path';

export type DatabaseAddress = { readonly socket: string } | { readonly port: number };

/** The maximum length of a socket path. It is below the limits of Linux (107 bytes) and macOS (103 bytes). */
const SOCKET_PATH_BYTES_MAX = 100;

/** Returns the path of the socket. null if the system has no Unix sockets, or if the path is too long. */
export function findSocketPath(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): string | null {
  const path = join(folder, 'database.sock');
  if (platform === 'win32' || Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) return null;
  return path;
}

export function buildDatabaseUri(address: DatabaseAddress): string {
  const host =
    'socket' in address ? encodeURIComponent(address.socket) : `127.0.0.1:${address.port}`;
  return `mongodb://${host}/keepwatch`;
}
