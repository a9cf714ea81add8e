/** The file in which `login` stores the service's URL and the key. Only the user can read it. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { usageError } from './cli-error';
import { parseJsonOrText } from './json-or-text';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const READABLE_BY_OTHERS = 0o077;

const loginShape = z.object({ url: z.string(), apiKey: z.string() });

export type Login = z.output<typeof loginShape>;
export type Environment = Readonly<Record<string, string | undefined>>;

export function findLoginFile(environment: Environment): string {
  const { KEEPWATCH_CONFIG_DIR: own, XDG_CONFIG_HOME: shared, APPDATA: windows } = environment;
  const base = shared ?? windows ?? join(environment['HOME'] ?? homedir(), '.config');
  return join(own ?? join(base, 'keepwatch'), 'login.json');
}

/**
 * Reads the stored login. null means that there is none. Throws if other users can read the file, or if it is invalid.
 */
export function readLogin(environment: Environment): Login | null {
  const file = findLoginFile(environment);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  const isShared = (statSync(file).mode & READABLE_BY_OTHERS) !== 0;
  if (isShared && process.platform !== 'win32')
    throw usageError(
      `${file} can be read by others.`,
      `Run chmod 600 ${file}, then create a new key.`,
    );
  const parsed = loginShape.safeParse(parseJsonOrText(text));
  if (parsed.success) return parsed.data;
  throw usageError(`${file} is not a valid login file.`, 'Run keepwatch login again.');
}

/** Stores the login and returns the path of its file. Replaces the file atomically. */
export function writeLogin(environment: Environment, login: Login): string {
  const file = findLoginFile(environment);
  mkdirSync(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(login, null, 2)}\n`, { mode: OWNER_ONLY_FILE });
  renameSync(draft, file);
  return file;
}

export function removeLogin(environment: Environment): void {
  rmSync(findLoginFile(environment), { force: true });
}
