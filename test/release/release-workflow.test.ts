/**
 * Tests the workflow that publishes a release. It tests first, and then builds the image, the package and the chart.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { scripts } from '../../package.json';

const ROOT = path.join(__dirname, '../..');
const stepShape = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
});
const jobShape = z.looseObject({
  needs: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  steps: z.array(stepShape),
});
const workflowShape = z.looseObject({
  on: z.object({ push: z.object({ tags: z.array(z.string()) }) }),
  permissions: z.record(z.string(), z.string()),
  env: z.object({ IMAGE: z.string() }),
  jobs: z.record(z.string(), jobShape),
});

const text = readFileSync(path.join(ROOT, '.github/workflows/release.yml'), 'utf8');
const { on, permissions, env, jobs } = workflowShape.parse(parse(text));
const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

test('only a version tag starts the release workflow, which publishes nothing before tests pass', () => {
  expect(on.push.tags).toEqual(['v[0-9]+.[0-9]+.[0-9]+']);
  for (const [name, { needs }] of Object.entries(jobs)) {
    const before =
      name === 'test' ? undefined : expect.stringMatching(/^(test|image|publish-image)$/);
    expect([name, needs]).toEqual([name, before]);
  }
});

test('the release workflow runs npm scripts and tests that exist', () => {
  const npm = commands.flatMap((command) => [...command.matchAll(/npm run ([\w:-]+)([^\n]*)/g)]);
  expect(npm.length).toBeGreaterThan(2);
  for (const [, name = '', rest = ''] of npm) {
    expect(Object.keys(scripts)).toContain(name);
    for (const target of rest.split(' ').filter((word) => word.startsWith('test/')))
      expect([target, existsSync(path.join(ROOT, target))]).toEqual([target, true]);
  }
  expect(text).toContain('helm package deploy/helm/keepwatch\n');
});

test('the image is built for both platforms, with an SBOM', () => {
  expect(text.match(/platform: linux\/\w+/g)).toEqual([
    'platform: linux/amd64',
    'platform: linux/arm64',
  ]);
  expect(text).toMatch(/^ +sbom: true$/m);
  const compose = readFileSync(path.join(ROOT, 'docker-compose.prod.yml'), 'utf8');
  expect(compose).toContain(`KEEPWATCH_IMAGE:-${env.IMAGE}:`);
  const values = readFileSync(path.join(ROOT, 'deploy/helm/keepwatch/values.yaml'), 'utf8');
  expect(parse(values)).toMatchObject({ image: { repository: env.IMAGE } });
});

test('image, package and chart are signed without a stored key', () => {
  for (const name of ['publish-image', 'publish-package', 'publish-chart'])
    expect(jobs[name]?.permissions).toMatchObject({ 'id-token': 'write' });
  expect(permissions).toEqual({ contents: 'read' });
  expect(commands.filter((command) => /cosign sign|--provenance/.test(command))).toHaveLength(3);
  expect(text).not.toMatch(/COSIGN_|NPM_TOKEN|--key/);
});
