/** Tests that units, CronJobs and pipelines under examples run the scripts that jobs.test.ts tests. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { PIPELINE_COMMAND } from './pipeline-command';

const EXAMPLES = join(__dirname, '../../examples');

function readText(...path: readonly string[]): string {
  return readFileSync(join(EXAMPLES, ...path), 'utf8');
}

/**
 * Reads a systemd unit as a map from `Section.Key` to the value. A comment after a value would be part of the value, as
 * in systemd.
 */
function readUnit(name: string): ReadonlyMap<string, string> {
  let section = '';
  const entries = readText('jobs', name)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line): (readonly [string, string])[] => {
      const [, title] = /^\[(\w+)\]$/.exec(line) ?? [];
      if (title !== undefined) section = title;
      const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (title === undefined && key === '') throw new Error(`${name}: ${line}`);
      return title === undefined ? [[`${section}.${key}`, value]] : [];
    });
  return new Map(entries);
}

const heartbeats = z
  .object({ monitors: z.array(z.looseObject({ key: z.string(), schedule: z.looseObject({}) })) })
  .parse(parse(readText('heartbeats', 'keepwatch.yaml')));
const { schedule } = heartbeats.monitors.find(({ key }) => key === 'nightly-backup') ?? {};

/** Returns the scripts in a command. The examples install them at paths with this prefix. */
const scriptsOf = (command: string, prefix: string): readonly string[] =>
  command
    .split(' ')
    .filter((word) => word.startsWith(prefix))
    .map((word) => word.slice(prefix.length));

test('the units for systemd run the tested scripts, at the time that the heartbeat expects', () => {
  const command = readUnit('nightly-backup.service').get('Service.ExecStart') ?? '';
  expect(scriptsOf(command, '/usr/local/lib/keepwatch/')).toEqual([
    'report-job.sh',
    'backup-restic.sh',
  ]);
  expect(readUnit('nightly-backup.timer').get('Timer.OnCalendar')).toBe(
    '*-*-* 02:30:00 Europe/Berlin',
  );
  expect(schedule).toEqual({ cron: '30 2 * * *', timeZone: 'Europe/Berlin' });
});

test('the CronJob runs the tested scripts from its own folder, at the time that the heartbeat expects', () => {
  const container = z.looseObject({ command: z.array(z.string()) });
  const pod = z.object({ spec: z.looseObject({ containers: z.tuple([container]) }) });
  const job = z.object({ spec: z.looseObject({ template: pod }) });
  const { kind, spec } = z
    .looseObject({
      kind: z.string(),
      spec: z.looseObject({ schedule: z.string(), timeZone: z.string(), jobTemplate: job }),
    })
    .parse(parse(readText('jobs', 'cron-job.yaml')));
  expect([kind, spec.schedule, spec.timeZone]).toEqual([
    'CronJob',
    schedule?.['cron'],
    schedule?.['timeZone'],
  ]);
  const [{ command }] = spec.jobTemplate.spec.template.spec.containers;
  const scripts = scriptsOf(command.join(' '), '/keepwatch/');
  expect(scripts).toEqual(['report-job.sh', 'backup-postgres.sh']);
  const kustomization = parse(readText('jobs', 'kustomization.yaml'));
  expect(kustomization).toMatchObject({
    resources: ['cron-job.yaml'],
    configMapGenerator: [{ files: scripts }],
  });
});

test('the pipelines for GitHub, GitLab and Jenkins run the same command', () => {
  const github = z
    .object({ jobs: z.object({ nightly: z.looseObject({ steps: z.array(z.looseObject({})) }) }) })
    .parse(parse(readText('pipelines', 'github.yml')));
  expect(github.jobs.nightly.steps.flatMap(({ run: line }) => line ?? [])).toEqual([
    PIPELINE_COMMAND,
  ]);
  expect(parse(readText('pipelines', 'gitlab.yml'))).toMatchObject({
    nightly: { script: [PIPELINE_COMMAND] },
  });
  const jenkins = readText('pipelines', 'Jenkinsfile');
  expect([...jenkins.matchAll(/\bsh '([^']+)'/g)].map(([, line]) => line)).toEqual([
    PIPELINE_COMMAND,
  ]);
});

const isHere = spawnSync('systemd-analyze', ['--version']).status === 0;

if (isHere)
  test('systemd accepts the units', () => {
    const folder = mkdtempSync(join(tmpdir(), 'keepwatch-units-'));
    try {
      const names = ['nightly-backup.service', 'nightly-backup.timer'];
      const files = names.map((name) => join(folder, name));
      for (const [index, name] of names.entries())
        writeFileSync(
          files[index] ?? '',
          readText('jobs', name).replaceAll('/usr/local/lib/keepwatch/', `${EXAMPLES}/jobs/`),
        );
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], {
        encoding: 'utf8',
      });
      const lines = stderr.split('\n').filter((line) => line.includes('nightly-backup'));
      expect({ status, lines }).toEqual({ status: 0, lines: [] });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
