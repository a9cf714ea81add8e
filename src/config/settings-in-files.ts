/** Which settings can be read from files. It reads none. */
import type { SettingName } from './settings-table';

/**
 * Those that hold secrets: `NAME_FILE` may name a file with the value, as container platforms mount
 * them, so that it is neither in the environment nor in what shows it.
 */
export const SETTINGS_IN_FILES = [
  'KEEPWATCH_SECRET_KEY',
  'KEEPWATCH_SETUP_TOKEN',
  'KEEPWATCH_METRICS_TOKEN',
  'MONGODB_URI',
  'SMTP_URL',
] as const satisfies readonly SettingName[];
