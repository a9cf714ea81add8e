/** Lints the Dockerfile. Tests it and .dockerignore against the files of the repository. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SETTINGS_TABLE } from '../../src/config/settings-table';
import { readDockerfile } from '../image/read-dockerfile';
import { ROOT } from './read-compose';

const { stages, instructions, environment, command, healthCheck, user, folder } = readDockerfile();
const last = stages.at(-1) ?? '';
const ignored = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8').split('\n');
const runs = instructions.filter(({ name }) => name === 'RUN').map(({ rest }) => rest);

const copies = instructions
  .filter(({ name }) => name === 'COPY')
  .map(({ rest }) => ({
    stage: /--from=(\S+)/.exec(rest)?.[1],
    sources: rest
      .replace(/--\S+ +/g, '')
      .split(/ +/)
      .slice(0, -1),
  }));
const sources = copies.filter(({ stage }) => stage === undefined).flatMap((copy) => copy.sources);

describe('rules for every Dockerfile', () => {
  const KNOWN = 'ARG CMD COPY ENV EXPOSE FROM HEALTHCHECK LABEL RUN USER WORKDIR'.split(' ');

  test('every Dockerfile uses only known instructions, and no ADD', () => {
    expect(instructions.map(({ name }) => name).filter((name) => !KNOWN.includes(name))).toEqual(
      [],
    );
  });

  test('every Dockerfile starts programs directly, not through a shell', () => {
    for (const list of [command, healthCheck]) expect(list[0]).toBe('node');
    for (const name of ['CMD', 'HEALTHCHECK'])
      expect(instructions.filter((one) => one.name === name)).toHaveLength(1);
  });

  test('folders are absolute in every Dockerfile', () => {
    for (const { rest } of instructions.filter(({ name }) => name === 'WORKDIR'))
      expect(rest).toMatch(/^\//);
  });

  test('every Dockerfile installs packages of Debian without recommendations, and leaves no package list', () => {
    const installs = runs.filter((run) => run.includes('apt-get'));
    expect(installs.length).toBeGreaterThan(0);
    for (const run of installs) {
      expect(run).toMatch(/^apt-get update +&& apt-get install -y --no-install-recommends /);
      expect(run).toMatch(/rm -rf \/var\/lib\/apt\/lists\/\*$/);
    }
  });

  test('no step of a Dockerfile pipes into another program, downloads files, or becomes root again', () => {
    for (const run of runs) expect(run).not.toMatch(/ \| |\b(?:curl|wget|sudo)\b|npm install/);
    expect(instructions.filter(({ name }) => name === 'USER')).toHaveLength(1);
  });

  test('no Dockerfile names a setting that holds a secret', () => {
    const secret = Object.entries(SETTINGS_TABLE).filter(([, { isSecret }]) => isSecret);
    for (const [name] of secret)
      for (const { rest } of instructions) expect(rest).not.toContain(name);
  });
});

test('each file that the Dockerfile copies exists and is allowed by .dockerignore', () => {
  expect(sources.length).toBeGreaterThan(5);
  for (const source of sources) {
    expect([source, existsSync(path.join(ROOT, source))]).toEqual([source, true]);
    expect(ignored).toContain(`!${source}`);
  }
});

test('.dockerignore allows only files that the Dockerfile copies, so no secret enters the image', () => {
  const rules = ignored.filter((line) => line !== '' && !line.startsWith('#'));
  expect(rules[0]).toBe('*');
  expect(rules.slice(1).toSorted()).toEqual(
    [...new Set(sources)].map((name) => `!${name}`).toSorted(),
  );
});

test('the image contains exactly the files that the build script has made', () => {
  expect(last).toMatch(/^FROM scratch$/m);
  expect(stages[0]).toMatch(/^RUN node scripts\/image-root\.mjs \/image *$/m);
  const copied = copies.filter(({ stage }) => stage !== undefined);
  expect(copied).toEqual([
    { stage: 'build', sources: ['/image/root'] },
    { stage: 'build', sources: ['/image/volumes'] },
  ]);
});

test('the image runs as an unprivileged user and starts node itself, so that signals arrive', () => {
  expect(last).toMatch(/^USER 1000:1000$/m);
  expect(user).toBe(1000);
  expect(last).toMatch(/^COPY --from=build --chown=1000:1000 \/image\/volumes \/$/m);
  expect(command).toEqual(['node', 'dist/main/container.js']);
  expect(folder).toBe('/app');
});

test('by default, the image runs all roles, stores data on its volume, listens on all interfaces and downloads nothing', () => {
  expect(environment).toMatchObject({
    KEEPWATCH_ROLE: 'all',
    KEEPWATCH_DATA_DIR: '/data',
    KEEPWATCH_DOWNLOADS: 'off',
    HOST: '0.0.0.0',
    PORT: '3000',
  });
  expect(last).toMatch(/^EXPOSE 3000$/m);
  expect(healthCheck).toEqual(['node', 'dist/main/health.js']);
});

test('the base image of the build has a pinned major version, and glibc for the Temporal client', () => {
  const bases = instructions.filter(({ name }) => name === 'FROM').map(({ rest }) => rest);
  expect(instructions).toContainEqual({ name: 'ARG', rest: 'NODE_IMAGE=node:24-bookworm-slim' });
  expect(bases).toEqual(['${NODE_IMAGE} AS build', 'scratch']);
});

test('the build of the image has the programs that its script copies and calls', () => {
  const install = runs.find((run) => run.includes('apt-get')) ?? '';
  for (const name of ['binutils', 'iputils-ping', 'python3-pip']) expect(install).toContain(name);
});

test('the build of the image installs the locked packages, and runs none of their scripts', () => {
  const installs = runs.filter((run) => run.includes('npm '));
  expect(installs).toHaveLength(1);
  expect(installs[0]).toMatch(/npm ci --ignore-scripts *$/);
});

test('the labels of the image name the version and licence of package.json', () => {
  const { version, license } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  expect(instructions).toContainEqual({ name: 'ARG', rest: `VERSION=${version}` });
  expect(last).toContain(`org.opencontainers.image.licenses="${license}"`);
});
