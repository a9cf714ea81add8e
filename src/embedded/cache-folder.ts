/** The folder of downloaded servers: the user's cache folder, shared by all checkouts. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns Keepwatch's folder in the user's cache folder. It may not exist yet. */
export function findCacheFolder(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = environment['HOME'] ?? environment['USERPROFILE'] ?? homedir();
  const chosen = environment['XDG_CACHE_HOME'];
  if (chosen !== undefined && chosen !== '') return join(chosen, 'keepwatch');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'keepwatch');
  if (platform === 'win32')
    return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'keepwatch');
  return join(home, '.cache', 'keepwatch');
}
