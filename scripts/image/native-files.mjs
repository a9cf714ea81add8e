// Finds the native modules of packages for this system.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../install.mjs';

const ARCH = { x64: 'x86_64', arm64: 'aarch64' }[process.arch];

/** Lists the native modules. Programs load these modules by computed names, so a trace does not find them. */
export function findNativeFiles() {
  const folders = [
    `node_modules/@temporalio/core-bridge/releases/${ARCH}-unknown-linux-gnu`,
    `node_modules/@lmdb/lmdb-linux-${process.arch}`,
    `node_modules/@node-rs/argon2-linux-${process.arch}-gnu`,
  ];
  const isUsable = (name) =>
    !name.endsWith('.node') ||
    (!name.includes('musl') &&
      (!name.includes('.abi') || name.includes(`.abi${process.versions.modules}.`)));
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => !name.endsWith('.md') && isUsable(name))
      .map((name) => `${folder}/${name}`),
  );
}
