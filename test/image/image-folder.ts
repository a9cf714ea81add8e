/** Builds the file system of the image in a temporary folder, and volumes for its containers. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../src/embedded/run-command';
import { WAIT_LIMIT_MS } from '../support/wait-until';
import { ROOT, readDockerfile } from './read-dockerfile';

/** Folders and files of the image that a container runtime replaces by mounts. */
const MOUNT_FOLDERS = ['proc', 'dev', 'data', 'probe-key'];
const MOUNT_FILES = ['etc/hosts', 'etc/resolv.conf'];

export interface ImageFolder {
  /** The root of the image's file system. */
  readonly root: string;
  /** The output of the script that built the folder. */
  readonly listing: string;
  /** Creates a folder that contains only these files. It belongs to the user of the image. */
  readonly newVolume: (files?: Readonly<Record<string, string>>) => string;
  readonly remove: () => void;
}

/** True if this process runs as root, so it can change the owner of files to the user of the image. */
export const isRoot = process.getuid?.() === 0;

/** Runs the script that the Dockerfile runs. This takes about half a minute. */
export async function buildImageFolder(): Promise<ImageFolder> {
  const base = mkdtempSync(join(tmpdir(), 'keepwatch-image-'));
  // The user of the image must be able to read the folders below this one.
  chmodSync(base, 0o755);
  const folder = join(base, 'image');
  const script = join(ROOT, 'scripts', 'image-root.mjs');
  const options = { environment: process.env, timeoutMs: WAIT_LIMIT_MS };
  const { code, stdout, stderr } = await runCommand(process.execPath, [script, folder], options);
  if (code !== 0) throw new Error(`${stdout}\n${stderr}`);
  const root = join(folder, 'root');
  for (const name of MOUNT_FOLDERS) mkdirSync(join(root, name), { recursive: true });
  for (const name of MOUNT_FILES) writeFileSync(join(root, name), '');
  const { user } = readDockerfile();
  let volumes = 0;
  return {
    root,
    listing: stdout,
    newVolume: (files = {}) => {
      volumes += 1;
      const volume = join(base, `volume-${volumes}`);
      mkdirSync(volume, { mode: 0o700 });
      const paths = Object.entries(files).map(([name, text]) => {
        writeFileSync(join(volume, name), text);
        return join(volume, name);
      });
      if (isRoot) for (const path of [volume, ...paths]) chownSync(path, user, user);
      return volume;
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
