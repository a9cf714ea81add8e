// `npm run release -- X.Y.Z [--dry-run]`: makes a release on this machine: changes the version and the changelog,
// builds the package, and creates the commit and the tag. It uploads nothing. It prints the commands that need the
// network.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './install.mjs';
import { runNode } from './run-step.mjs';

const USAGE = 'Usage: npm run release -- X.Y.Z [--dry-run]';
const UNRELEASED = '## [Unreleased]\n';
const CLI = 'dist/cli/main.js';
/**
 * Files that describe what users rely on, for the comparison with later versions. The script surface.mjs writes these
 * files.
 */
const SURFACE = ['test/surface/released.json', 'test/surface/accepted.json'];
const PACKAGE = 'dist/cli-package';

/** Other files that contain the version → a pattern. The version follows the first group of the pattern. */
const VERSIONED = {
  'docker-compose.prod.yml': /(KEEPWATCH_IMAGE:-keepwatch\/keepwatch:)[^}]+/,
  Dockerfile: /(ARG VERSION=)\S+/,
  'deploy/helm/keepwatch/Chart.yaml': /((?:^|\n)(?:version|appVersion): )\S+/g,
};

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}

function isLower(version, other) {
  const [left, right] = [version, other].map((text) => text.split('.').map(Number));
  const index = left.findIndex((part, at) => part !== right[at]);
  return index !== -1 && left[index] < right[index];
}

/** Returns the text under [Unreleased]. */
function unreleased(changelog) {
  const from = changelog.indexOf(UNRELEASED);
  if (from === -1) return '';
  const rest = changelog.slice(from + UNRELEASED.length);
  const end = rest.indexOf('\n## ');
  return end === -1 ? rest : rest.slice(0, end);
}

/** Returns all problems that prevent the release. */
function findProblems(version) {
  const current = JSON.parse(read('package.json')).version;
  const problems = [];
  if (isLower(version, current)) problems.push(`${version} is lower than ${current}.`);
  if (git('tag', '--list', `v${version}`) !== '')
    problems.push(`The tag v${version} already exists.`);
  if (git('status', '--porcelain') !== '') problems.push('There are uncommitted changes.');
  if (!/^- /m.test(unreleased(read('CHANGELOG.md'))))
    problems.push('CHANGELOG.md has nothing under [Unreleased].');
  return problems;
}

/** Maps each file to its text in the release. In the lock file, only the package's own version changes. */
function changedFiles(version) {
  const today = new Date().toISOString().slice(0, 10);
  const withVersion = (text) => text.replace(/^( *"version": )"[^"]*"/m, `$1"${version}"`);
  const lock = read('package-lock.json');
  const own = lock.indexOf('"": {');
  const changes = {
    'package.json': withVersion(read('package.json')),
    'package-lock.json': withVersion(lock.slice(0, own)) + withVersion(lock.slice(own)),
    'CHANGELOG.md': read('CHANGELOG.md').replace(
      UNRELEASED,
      () => `${UNRELEASED}\n## [${version}] - ${today}\n`,
    ),
  };
  for (const [file, pattern] of Object.entries(VERSIONED))
    if (existsSync(join(root, file)))
      changes[file] = read(file).replace(pattern, (_whole, before) => `${before}${version}`);
  return changes;
}

async function runStep(what, script, ...args) {
  if ((await runNode([join('scripts', script), ...args])) !== 0) throw new Error(`${what} failed.`);
}

/** Returns the file name of the package; throws if the package does not contain the command line. */
function pack(isDry) {
  const options = isDry ? ['--dry-run'] : [];
  const args = ['pack', '--ignore-scripts', '--json', ...options, `./${PACKAGE}`];
  const streams = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  const [{ filename, files }] = JSON.parse(execFileSync('npm', args, streams));
  if (files.some(({ path }) => path === CLI)) return filename;
  throw new Error(`The package does not contain ${CLI}: see scripts/cli-package.mjs.`);
}

async function release(version) {
  const changes = changedFiles(version);
  const files = [...Object.keys(changes), ...SURFACE];
  const before = Object.fromEntries(files.map((file) => [file, read(file)]));
  const write = (texts) =>
    Object.entries(texts).forEach(([file, text]) => {
      writeFileSync(join(root, file), text);
    });
  let filename;
  write(changes);
  try {
    await runStep('The package', 'cli-package.mjs');
    await runStep('Recording the surface', 'surface.mjs');
    filename = pack(false);
    git('add', ...files);
    git('commit', '--quiet', '--message', `Release ${version}`);
  } catch (error) {
    git('reset', '--quiet', '--', ...files);
    write(before);
    throw error;
  }
  git('tag', '--annotate', `v${version}`, '--message', `Keepwatch ${version}`);
  return filename;
}

function nextSteps(version) {
  return [
    'The rest needs the network. Pushing the tag starts .github/workflows/release.yml, which builds, tests, signs',
    'and publishes the image, the npm package and the chart:',
    `  git push origin HEAD v${version}`,
  ].join('\n');
}

async function main() {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [version = ''] = positionals;
  if (positionals.length !== 1 || !/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version))
    throw new Error(USAGE);
  const problems = findProblems(version);
  if (problems.length > 0) throw new Error(`The release cannot start:\n- ${problems.join('\n- ')}`);
  await runStep('npm run verify', 'verify.mjs', '--all');
  if (values['dry-run']) {
    await runStep('The package', 'cli-package.mjs');
    const packed = `keepwatch-${version}.tgz`;
    pack(true);
    console.log(`\nNothing was changed. A release would pack ${packed} and change:`);
    for (const file of [...Object.keys(changedFiles(version)), ...SURFACE])
      console.log(`  ${file}`);
    console.log(`\n${nextSteps(version)}`);
    return;
  }
  const filename = await release(version);
  console.log(`\nReleased ${version}: ${filename}, commit and tag v${version}.`);
  console.log(`\n${nextSteps(version)}`);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
