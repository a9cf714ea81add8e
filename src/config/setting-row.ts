/** One row of the settings table: who reads the setting, its schema, an example, and its meaning. */
import type { z } from 'zod';

/**
 * The roles that can run as separate processes. The all-in-one process reads all settings and passes them on to these
 * three roles.
 */
export type ProcessRole = 'api' | 'orchestrator' | 'probe';

export interface SettingRow<Reader extends ProcessRole, Shape extends z.ZodType> {
  /** The roles that read the setting. Empty means only all-in-one. `SettingsFor` enforces this at compile time. */
  readonly readBy: readonly Reader[];
  readonly shape: Shape;
  readonly example: string;
  readonly meaning: string;
  /** True means that the value can also be read from the file that `NAME_FILE` names. */
  readonly isSecret: boolean;
}

export function defineSetting<Reader extends ProcessRole, Shape extends z.ZodType>(
  readBy: readonly Reader[],
  shape: Shape,
  ...[example, meaning]: readonly [example: string, meaning: string]
): SettingRow<Reader, Shape> {
  return { readBy, shape, example, meaning, isSecret: false };
}

/** The row of a setting that contains a secret. Its value may come from a file. */
export function defineSecretSetting<Reader extends ProcessRole, Shape extends z.ZodType>(
  readBy: readonly Reader[],
  shape: Shape,
  ...texts: readonly [example: string, meaning: string]
): SettingRow<Reader, Shape> {
  return { ...defineSetting(readBy, shape, ...texts), isSecret: true };
}
