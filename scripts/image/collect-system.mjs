// Copies files of the running system into the image: programs, their libraries, and records of their packages. The
// image has no shell and no package manager.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** The user of the image, as in the official images of Node. */
const USER = { name: 'node', id: 1000 };
const STATUS_FOLDER = 'var/lib/dpkg/status.d';
const TEXTS = {
  'etc/passwd': `root:x:0:0:root:/root:/sbin/nologin\n${USER.name}:x:${USER.id}:${USER.id}::/tmp:/sbin/nologin\n`,
  'etc/group': `root:x:0:\n${USER.name}:x:${USER.id}:\n`,
  // Node resolves names through the C library, which by default uses services that are not in the image.
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
};

function run(command, ...args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

/** Returns the path of a program; empty if this system does not have the program. */
export function findProgram(program) {
  return run('which', program).trim();
}

function copyProgram(file, target) {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file, target);
  chmodSync(target, 0o755);
}

/** Lists the libraries of a program or native module, by the paths from which they are loaded. */
function findLibraries(file) {
  return [...run('ldd', file).matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path);
}

/**
 * Removes the symbols of a program, because only debuggers read symbols. Symbols are a sixth of the size of Node, and a
 * quarter of the size of Temporal's client.
 */
function strip(file) {
  run('strip', '--strip-unneeded', file);
}

/** Records the Debian packages of the libraries, with their licences, in the files that scanners read. */
function recordPackages(target, libraries) {
  const names = new Set(
    libraries
      .flatMap((path) => [path, `/usr${path}`, realpathSync(path)])
      .map((path) => run('dpkg-query', '--search', path).split(':')[0])
      .filter((name) => name !== ''),
  );
  for (const name of names) {
    const status = join(target, STATUS_FOLDER, name);
    mkdirSync(dirname(status), { recursive: true });
    writeFileSync(status, run('dpkg-query', '--status', name));
    const licence = `usr/share/doc/${name}/copyright`;
    if (existsSync(`/${licence}`)) copyProgram(`/${licence}`, join(target, licence));
  }
}

/**
 * Fills the folder with Node, the Temporal server, ping and their libraries, and with the libraries of the native
 * modules in the folder. Returns the programs that this system does not have.
 */
export function collectSystem(target, temporal) {
  const programs = { node: process.execPath, temporal, ping: findProgram('ping') };
  const missing = Object.keys(programs).filter((name) => programs[name] === '');
  const copied = Object.entries(programs)
    .filter(([, file]) => file !== '')
    .map(([name, file]) => {
      const path = join(target, 'usr/local/bin', name);
      copyProgram(realpathSync(file), path);
      return path;
    });
  const modules = readdirSync(join(target, 'app/node_modules'), { recursive: true })
    .filter((name) => name.endsWith('.node'))
    .map((name) => join(target, 'app/node_modules', name));
  const libraries = [...new Set([...copied, ...modules].flatMap(findLibraries))];
  for (const path of libraries) copyProgram(realpathSync(path), join(target, path));
  // Temporal's server is not stripped, because it is published without symbols.
  for (const path of [join(target, 'usr/local/bin/node'), ...modules]) strip(path);
  for (const [name, text] of Object.entries(TEXTS)) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    writeFileSync(join(target, name), text);
  }
  if (existsSync('/etc/os-release'))
    cpSync(realpathSync('/etc/os-release'), join(target, 'etc/os-release'));
  recordPackages(target, libraries);
  return missing;
}
