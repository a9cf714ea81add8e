/** Checks the Dockerfile and .dockerignore against the files of the repository. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './read-compose';

const dockerfile = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
const instructions = dockerfile
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
  .map((line) => ({ name: line.split(' ')[0] ?? '', rest: line.replace(/^[A-Z]+ +/, '') }));
const stages = dockerfile.split(/^(?=FROM )/m).slice(1);
const ignored = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8').split('\n');

const copies = instructions
  .filter(({ name }) => name === 'COPY')
  .map(({ rest }) => ({
    stage: /--from=(\S+)/.exec(rest)?.[1],
    sources: rest
      .replace(/--\S+ +/g, '')
      .split(/ +/)
      .slice(0, -1),
  }));

test('every file that is copied exists and is allowed by .dockerignore', () => {
  const sources = copies.filter(({ stage }) => stage === undefined).flatMap((copy) => copy.sources);
  expect(sources.length).toBeGreaterThan(5);
  for (const source of sources) {
    expect([source, existsSync(path.join(ROOT, source))]).toEqual([source, true]);
    expect(ignored).toContain(`!${source}`);
  }
});

test('.dockerignore allows only these files, so no secret or data folder enters the image', () => {
  const rules = ignored.filter((line) => line !== '' && !line.startsWith('#'));
  const sources = copies.filter(({ stage }) => stage === undefined).flatMap((copy) => copy.sources);
  expect(rules[0]).toBe('*');
  expect(rules.slice(1).toSorted()).toEqual(
    [...new Set(sources)].map((name) => `!${name}`).toSorted(),
  );
});

test('files are copied only from stages that exist', () => {
  const names = stages.map((stage) => / AS (\S+)/.exec(stage)?.[1]);
  for (const { stage } of copies.filter((copy) => copy.stage !== undefined)) {
    expect(names).toContain(stage);
  }
});

test('the image runs as an unprivileged user and starts node itself, so that signals arrive', () => {
  const last = stages.at(-1) ?? '';
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^CMD \["node", "dist\/main\/api\.js"\]$/m);
  expect(last).not.toMatch(/^ENTRYPOINT/m);
});

test('the base image has a pinned major version and glibc, which the Temporal client needs', () => {
  expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:24-bookworm-slim$/m);
  expect(
    instructions.filter(({ name }) => name === 'FROM').map(({ rest }) => rest.split(' ')[0]),
  ).toEqual(stages.map(() => '${NODE_IMAGE}'));
});

test('ping checks find their program, which needs no capability of the container', () => {
  const last = stages.at(-1) ?? '';
  expect(last).toContain('iputils-ping');
  expect(last).toContain('install -m 755 "$(command -v ping)" /usr/local/bin/ping');
});

test('only runtime packages enter the image, and no package runs a script during the build', () => {
  const installs = [...dockerfile.matchAll(/npm ci[^&]*/g)].map(([text]) => text.trim());
  expect(installs[0]).toContain('--omit=dev');
  for (const install of installs) expect(install).toContain('--ignore-scripts');
  expect(copies.find(({ stage }) => stage === 'packages')?.sources).toEqual(['/app/node_modules']);
});

test('the labels name the version and licence of package.json', () => {
  const { version, license } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  expect(dockerfile).toContain(`ARG VERSION=${version}`);
  expect(dockerfile).toContain(`org.opencontainers.image.licenses="${license}"`);
});
