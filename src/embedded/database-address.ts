/**
 * Chooses the socket of a local database. It has no password, so other users of the machine must not reach it. If the
 * system supports Unix sockets, it uses one in the data folder, which only this user may enter.
 */
import { join } from 'node:path';

export type DatabaseAddress = { readonly socket: string } | { readonly port: number };

/** Below the maximum length of a socket path on Linux (107 bytes) and macOS (103 bytes). */
const SOCKET_PATH_BYTES_MAX = 100;

/** Returns null if this system has no Unix sockets, or the folder's path is too long for a socket. */
export function socketIn(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): string | null {
  const path = join(folder, 'database.sock');
  if (platform === 'win32' || Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) return null;
  return path;
}

export function databaseUri(address: DatabaseAddress): string {
  const host =
    'socket' in address ? encodeURIComponent(address.socket) : `127.0.0.1:${address.port}`;
  return `mongodb://${host}/keepwatch`;
}
