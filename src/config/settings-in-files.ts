/** Which settings can be read from files. It reads none. */
import { SETTINGS_TABLE } from './settings-table';

/**
 * Those that hold secrets: `NAME_FILE` may name a file with the value, as container platforms mount
 * them, so that it is neither in the environment nor in what shows it.
 */
export const SETTINGS_IN_FILES: readonly string[] = Object.entries(SETTINGS_TABLE)
  .filter(([, { isSecret }]) => isSecret)
  .map(([name]) => name);
