// The programs of a full cluster: a Temporal server and its schema tool, built once with Go, and PostgreSQL. If a
// program is missing, the error names it and the process ends.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The Go module of the server in the pinned command line. test/cluster compares its version with the compose file. */
const SERVER = 'go.temporal.io/server';
const VERSION = 'v1.32.0';

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Returns the output of a program, or undefined if the program cannot be run. */
function ask(command, args, environment = {}) {
  const { status, stdout } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  });
  return status === 0 ? stdout.trim() : undefined;
}

function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(base, 'keepwatch', `temporal-server-${VERSION}`);
}

/** Builds the server once per version. This takes about eight minutes on two busy cores. */
function buildServer() {
  const folder = cacheFolder();
  const programs = { server: join(folder, 'server'), sqlTool: join(folder, 'sql') };
  if (ask('go', ['version']) === undefined) {
    fail(
      'Go is needed to build the Temporal server: install it (https://go.dev/dl) and try again.',
    );
  }
  mkdirSync(folder, { recursive: true });
  for (const [name, file] of Object.entries({
    'cmd/server': programs.server,
    'cmd/tools/sql': programs.sqlTool,
  })) {
    if (existsSync(file)) continue;
    console.log(`Building ${SERVER}/${name}@${VERSION}; the first time takes some minutes.`);
    const built = ask('go', ['install', `${SERVER}/${name}@${VERSION}`], { GOBIN: folder });
    if (built === undefined) fail(`${SERVER}/${name}@${VERSION} could not be built.`);
  }
  const download = ask('go', ['mod', 'download', '-json', `${SERVER}@${VERSION}`]);
  if (download === undefined) fail(`The sources of ${SERVER}@${VERSION} could not be read.`);
  return { ...programs, schema: join(JSON.parse(download).Dir, 'schema') };
}

/** Returns the folder of PostgreSQL's programs: on the PATH, or where Debian installs them. */
function findPostgres() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...(process.env.PATH ?? '').split(':'),
    ...newestFirst.map((version) => join(debian, version, 'bin')),
  ];
  const programs = ['initdb', 'postgres', 'pg_isready'];
  const folder = folders.find((one) => programs.every((name) => existsSync(join(one, name))));
  if (folder === undefined) {
    fail('PostgreSQL is needed: install it, for instance with "apt-get install postgresql".');
  }
  return folder;
}

/**
 * Returns the ids of the user `postgres` if this process runs as root, because PostgreSQL refuses to run as root.
 * Otherwise, returns null.
 */
function findOwner() {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(ask('id', [flag, 'postgres'])));
  if (Number.isNaN(uid) || Number.isNaN(gid))
    fail('PostgreSQL does not run as root: create a user called postgres.');
  return { uid, gid };
}

/** Lists the programs in the format of KEEPWATCH_CLUSTER_PROGRAMS, which test/cluster reads. */
export function findClusterPrograms() {
  const postgres = findPostgres();
  const owner = findOwner();
  return JSON.stringify({ postgres, owner, ...buildServer() });
}
