/** Lists the settings that can be read from files. */
import { SETTINGS_TABLE } from './settings-table';

/**
 * The settings that contain secrets. `NAME_FILE` may name a file with the value, because container platforms mount
 * secrets as files.
 */
export const SETTINGS_IN_FILES: readonly string[] = Object.entries(SETTINGS_TABLE)
  .filter(([, { isSecret }]) => isSecret)
  .map(([name]) => name);
