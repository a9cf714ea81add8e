/** Reads and validates the environment and its secret files. Callers handle SettingsError. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { buildPlainMessage } from '../schemas/plain-message';
import { SETTINGS_IN_FILES } from './settings-in-files';
import { type ProcessRole, SETTINGS_TABLE, type SettingName } from './settings-table';
import { findSignInProblems } from './sign-in-rows';
import { findWatchdogProblems } from './watchdog-rows';

export type Role = ProcessRole | 'all-in-one';

type RawSettings = {
  [Name in SettingName]: z.output<(typeof SETTINGS_TABLE)[Name]['shape']>;
};

/** Settings of all roles. A required setting of a role is never undefined for that role. */
export interface Settings extends RawSettings {
  readonly KEEPWATCH_PUBLIC_URL: string;
  readonly KEEPWATCH_API_URL: string;
}

type ReaderOf<Name extends SettingName> = (typeof SETTINGS_TABLE)[Name]['readBy'][number];

/**
 * The settings of one role. Reading other settings does not compile, so the table lists every setting that a deployment
 * must pass to the role.
 */
export type SettingsFor<Reader extends Role> = Reader extends ProcessRole
  ? {
      readonly [Name in SettingName as Reader extends ReaderOf<Name>
        ? Name
        : never]: Settings[Name];
    }
  : Settings;

/** Thrown with all problems of the environment, one sentence per setting. */
export class SettingsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`These settings are not valid:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.name = 'SettingsError';
    this.problems = problems;
  }
}

const REQUIRED: Record<Role, readonly SettingName[]> = {
  api: ['MONGODB_URI', 'TEMPORAL_ADDRESS', 'KEEPWATCH_SECRET_KEY'],
  orchestrator: ['MONGODB_URI', 'TEMPORAL_ADDRESS', 'KEEPWATCH_SECRET_KEY'],
  probe: ['TEMPORAL_ADDRESS', 'KEEPWATCH_PROBE_KEY'],
  'all-in-one': [],
};

const settingsShape = z.object(
  Object.fromEntries(Object.entries(SETTINGS_TABLE).map(([name, { shape }]) => [name, shape])),
) as unknown as z.ZodType<RawSettings>;

/**
 * Returns the settings of a role, or throws one SettingsError with all problems. An empty value counts as not set.
 * Unknown names are ignored.
 */
export function readSettings<Reader extends Role>(
  role: Reader,
  environment?: NodeJS.ProcessEnv,
): SettingsFor<Reader>;
export function readSettings(role: Role, environment: NodeJS.ProcessEnv = process.env): Settings {
  const { given, problems } = readGivenSettings(environment);
  const parsed = settingsShape.safeParse(given, { error: buildPlainMessage });
  if (!parsed.success)
    problems.push(
      ...parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`),
    );
  if (parsed.success)
    problems.push(...findWatchdogProblems(parsed.data), ...findSignInProblems(parsed.data));
  if (role === 'probe' && given['KEEPWATCH_SECRET_KEY'] !== undefined)
    problems.push(
      'KEEPWATCH_SECRET_KEY decrypts everything and must not be set for a probe: remove it',
    );
  for (const name of REQUIRED[role]) {
    if (given[name] === undefined)
      problems.push(`${name} is required by ${role}: ${SETTINGS_TABLE[name].meaning}`);
  }
  if (!parsed.success || problems.length > 0) throw new SettingsError(problems);
  const { PORT, KEEPWATCH_PUBLIC_URL, KEEPWATCH_API_URL } = parsed.data;
  return {
    ...parsed.data,
    KEEPWATCH_PUBLIC_URL: KEEPWATCH_PUBLIC_URL ?? `http://localhost:${PORT}`,
    KEEPWATCH_API_URL: KEEPWATCH_API_URL ?? `http://127.0.0.1:${PORT}`,
  };
}

/**
 * Returns the role that this container runs, or `all` for the all-in-one process. Throws SettingsError for an unknown
 * KEEPWATCH_ROLE.
 */
export function readRole(
  environment: NodeJS.ProcessEnv = process.env,
): RawSettings['KEEPWATCH_ROLE'] {
  const { KEEPWATCH_ROLE: given } = readGivenSettings(environment).given;
  const parsed = SETTINGS_TABLE.KEEPWATCH_ROLE.shape.safeParse(given, { error: buildPlainMessage });
  if (parsed.success) return parsed.data;
  throw new SettingsError(parsed.error.issues.map(({ message }) => `KEEPWATCH_ROLE ${message}`));
}

interface Given {
  /** Maps the name of each given setting to its text. */
  readonly given: Readonly<Record<string, string>>;
  /** Problems with the files that contain the values of settings. */
  readonly problems: string[];
}

/** Returns the settings of the environment as texts, including settings whose values are in files. */
export function readGivenSettings(environment: NodeJS.ProcessEnv = process.env): Given {
  const given: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of Object.keys(SETTINGS_TABLE)) {
    const value = environment[name] ?? '';
    if (value !== '') given[name] = value;
  }
  for (const name of SETTINGS_IN_FILES) {
    const file = environment[`${name}_FILE`] ?? '';
    if (file === '') continue;
    if (name in given) {
      problems.push(`${name} and ${name}_FILE are both set: remove one of them`);
      continue;
    }
    const text = readText(file);
    if (text === null || text === '')
      problems.push(
        `${name}_FILE names ${file}, which is ${text === null ? 'not readable' : 'empty'}`,
      );
    else given[name] = text;
  }
  return { given, problems };
}

/** null means that the file cannot be read. */
function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

/** Returns a setting that the role requires. Throws SettingsError if it is missing. */
export function requireSetting<Value>(value: Value | undefined, name: SettingName): Value {
  if (value === undefined) throw new SettingsError([`${name} is required`]);
  return value;
}
