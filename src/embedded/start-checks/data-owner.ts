/**
 * Prepares the data folder for this user only. If the folder belongs to another user, the error contains the command
 * that fixes the ownership.
 */
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readErrorCode } from '../error-code';

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Thrown if the folder, or a file in it, belongs to another user. */
class ForeignDataError extends Error {
  constructor(folder: string, what: string, { uid, gid }: User) {
    super(
      `${what}, but Keepwatch runs as user ${uid}. Run as root: chown -R ${uid}:${gid} ${folder} ` +
        '(for a container: on the folder that is mounted there).',
    );
    this.name = 'ForeignDataError';
  }
}

/**
 * Creates the folder if it is missing, and makes it accessible to this user only. Throws ForeignDataError if the
 * folder, or a file directly in it, belongs to another user. The user root may use every folder.
 */
export async function openForThisUser(folder: string, user = readThisUser()): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
  } catch (error) {
    throw await explain(folder, error, user);
  }
  const foreign = user === null ? null : await findForeign(folder, user);
  if (user !== null && foreign !== null) throw new ForeignDataError(folder, foreign, user);
}

/** Returns null on systems without user ids. */
function readThisUser(): User | null {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? null : { uid, gid };
}

/**
 * Returns a sentence about the folder, or about the first file in it, that belongs to another user. null if everything
 * belongs to this user.
 */
async function findForeign(folder: string, { uid }: User): Promise<string | null> {
  if (uid === 0) return null;
  for (const path of [folder, ...(await readdir(folder)).map((name) => join(folder, name))]) {
    const owner = await readOwner(path);
    if (owner !== null && owner !== uid) return `${path} belongs to user ${owner}`;
  }
  return null;
}

/** Returns the id of the owner. null means that the path does not exist or is not visible. */
async function readOwner(path: string): Promise<number | null> {
  return stat(path).then(
    ({ uid }) => uid,
    () => null,
  );
}

async function explain(folder: string, error: unknown, user: User | null): Promise<unknown> {
  const code = readErrorCode(error);
  if (code === 'EROFS')
    return new Error(
      `The data folder ${folder} is on a read-only file system. Mount a volume there, or choose another folder with KEEPWATCH_DATA_DIR.`,
      { cause: error },
    );
  if (user === null || (code !== 'EACCES' && code !== 'EPERM')) return error;
  const owner = await readOwner(folder);
  const what =
    owner === null
      ? `The data folder ${folder} cannot be created, because its parent belongs to another user`
      : `The data folder ${folder} belongs to user ${owner}`;
  return new ForeignDataError(folder, what, user);
}
