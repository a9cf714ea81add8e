/** One row of the settings table: who reads the setting, its shape, an example and its meaning. */
import type { z } from 'zod';

/** A process that reads settings of its own; all-in-one hands them on to these three. */
export type ProcessRole = 'api' | 'orchestrator' | 'probe';

export interface SettingRow<Reader extends ProcessRole, Shape extends z.ZodType> {
  /** The roles that read it; empty: all-in-one alone. `SettingsOf` holds the code to this. */
  readonly readBy: readonly Reader[];
  readonly shape: Shape;
  readonly example: string;
  readonly meaning: string;
  /** Can be read from the file that `NAME_FILE` names, too. */
  readonly isSecret: boolean;
}

export function row<Reader extends ProcessRole, Shape extends z.ZodType>(
  readBy: readonly Reader[],
  shape: Shape,
  ...[example, meaning]: readonly [example: string, meaning: string]
): SettingRow<Reader, Shape> {
  return { readBy, shape, example, meaning, isSecret: false };
}

/** For every setting that holds a secret, so that none need stand in the environment. */
export function secretRow<Reader extends ProcessRole, Shape extends z.ZodType>(
  readBy: readonly Reader[],
  shape: Shape,
  ...texts: readonly [example: string, meaning: string]
): SettingRow<Reader, Shape> {
  return { ...row(readBy, shape, ...texts), isSecret: true };
}
