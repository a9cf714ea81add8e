/** Tests the parts of the image without building it. image.long.test.ts builds the image and starts its programs. */
import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { ROOT } from './read-dockerfile';

/** Packages that load their native module by a computed name. */
const NATIVE = ['@temporalio/core-bridge', '@lmdb/lmdb-linux', '@node-rs/argon2-linux'];

test("the image contains the native modules of its packages, built for the image's system and Node version", () => {
  const program = `
    import { findNativeFiles } from './scripts/image/native-files.mjs';
    console.log(JSON.stringify(findNativeFiles()));`;
  const parameters = ['--input-type=module', '--eval', program];
  const printed = execFileSync(process.execPath, parameters, { cwd: ROOT, encoding: 'utf8' });
  const modules = z
    .array(z.string())
    .parse(JSON.parse(printed))
    .filter((file) => file.endsWith('.node'));
  for (const name of NATIVE)
    expect(modules).toContainEqual(expect.stringMatching(`^node_modules/${name}`));
  const abis = modules.flatMap((file) => /\.abi(\d+)\./.exec(file)?.[1] ?? []);
  expect(abis.filter((abi) => abi !== process.versions.modules)).toEqual([]);
  expect(modules.filter((file) => file.includes('musl'))).toEqual([]);
});
