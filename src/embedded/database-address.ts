/**
 * Where a local database listens. It asks for no password, so that other users of the machine must not
 * reach it: a socket inside the data folder, which only this user may enter, where the system has such.
 */
import { join } from 'node:path';

export type DatabaseAddress = { readonly socket: string } | { readonly port: number };

/** Shorter than the longest path of a socket on Linux (107 bytes) and macOS (103). */
const SOCKET_PATH_BYTES_MAX = 100;

/** null: there is none on this system, or the path of the folder is too long for one. */
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
