/** Tests the chart as Helm renders it, against the settings and the rules of operation. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { readSettings } from '../../src/config/settings';
import { type ProcessRole, SETTINGS_TABLE } from '../../src/config/settings-table';

const ROOT = path.join(__dirname, '../..');
const CHART = path.join(ROOT, 'deploy/helm/keepwatch');
const EXAMPLES = readdirSync(path.join(CHART, 'ci'));
/** The newest version of Kubernetes for which the validator contains schemas. */
const KUBERNETES = '1.30.0';
/** Values that replace the contents of Secrets. */
const SECRETS: Readonly<Record<string, string>> = {
  KEEPWATCH_SECRET_KEY: 'ab'.repeat(32),
  KEEPWATCH_SETUP_TOKEN: 'cd'.repeat(16),
  KEEPWATCH_METRICS_TOKEN: 'ef'.repeat(16),
  MONGODB_URI: 'mongodb://mongo:27017/keepwatch',
  SMTP_URL: 'smtps://mail.example.com',
  KEEPWATCH_PROBE_KEY: `kwp_ap-south_prk_${'0'.repeat(26)}_${'ab'.repeat(32)}`,
};
const PROBE_KEY = `kwp_eu-west_local_${'ab'.repeat(32)}`;
const ROLES: readonly ProcessRole[] = ['api', 'orchestrator', 'probe'];

const programs = z
  .object({ helm: z.string(), validate: z.string() })
  .parse(JSON.parse(process.env['KEEPWATCH_HELM_PROGRAMS'] ?? '{}'));

const variable = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }).optional(),
});
const podShape = z.looseObject({
  automountServiceAccountToken: z.literal(false),
  securityContext: z.looseObject({ runAsNonRoot: z.literal(true) }),
  initContainers: z
    .array(
      z.looseObject({ name: z.string(), command: z.array(z.string()), env: z.array(variable) }),
    )
    .default([]),
  containers: z.array(
    z.looseObject({
      name: z.string(),
      command: z.array(z.string()),
      env: z.array(variable),
      securityContext: z.object({
        allowPrivilegeEscalation: z.literal(false),
        readOnlyRootFilesystem: z.literal(true),
        capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
      }),
      resources: z.looseObject({ limits: z.looseObject({ memory: z.string() }) }),
    }),
  ),
});
const manifestShape = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.unknown().optional(),
});
const workloadShape = z.looseObject({ template: z.looseObject({ spec: podShape }) });

function helm(...args: readonly string[]) {
  return spawnSync(programs.helm, args, { encoding: 'utf8', cwd: ROOT });
}

function render(...args: readonly string[]) {
  const version = ['--kube-version', KUBERNETES, '--namespace', 'watch'];
  return helm('template', 'release', CHART, ...version, ...args);
}

function manifestsOf(text: string) {
  const documents = parseAllDocuments(text).map((document) => document.toJS() as unknown);
  return documents.filter((found) => found !== null).map((found) => manifestShape.parse(found));
}

const withValues = (example: string): readonly string[] => [
  '--values',
  path.join(CHART, 'ci', example),
];

describe.each(EXAMPLES)('the chart with %s', (example) => {
  const { stdout, stderr, status } = render(...withValues(example));
  const manifests = manifestsOf(stdout);
  const workloads = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  const containers = workloads.flatMap(
    ({ spec }) => workloadShape.parse(spec).template.spec.containers,
  );

  test('Helm renders and lints the chart without complaints', () => {
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const linted = helm('lint', '--strict', CHART, ...withValues(example));
    expect({ out: linted.stdout, status: linted.status }).toMatchObject({ status: 0 });
  });

  test('Kubernetes accepts every field of the rendered chart', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'keepwatch-helm-'));
    try {
      writeFileSync(path.join(folder, 'rendered.yaml'), stdout);
      const { status: verdict, stdout: said } = spawnSync(
        programs.validate,
        ['--version', KUBERNETES.slice(0, 4), folder],
        { encoding: 'utf8' },
      );
      expect({ said, verdict }).toMatchObject({ verdict: 0 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('each role in the chart runs a program that exists, unprivileged and with resource limits', () => {
    const roles = new Set(containers.map(({ name }) => name));
    expect(roles).toEqual(new Set([...ROLES, 'prepare-namespace']));
    for (const { command } of containers) {
      const source = (command[1] ?? '').replace('dist/', 'src/').replace('.js', '.ts');
      expect(existsSync(path.join(ROOT, source))).toBe(true);
    }
  });

  test('each role in the chart gets the settings it reads, and no secret in clear text', () => {
    const served = containers.filter(({ name }) => name !== 'prepare-namespace');
    for (const { name, env } of served) {
      const role = ROLES.find((one) => one === name) ?? 'api';
      const environment = Object.fromEntries(
        env.map((one) => [one.name, one.value ?? SECRETS[one.name]]),
      );
      // Removes the settings that name files, because these files exist only in the cluster.
      for (const key of Object.keys(environment))
        if (key.endsWith('_PATH')) delete environment[key];
      if (environment['KEEPWATCH_PROBE_KEY_FILE'] !== undefined) {
        delete environment['KEEPWATCH_PROBE_KEY_FILE'];
        environment['KEEPWATCH_PROBE_KEY'] = PROBE_KEY;
      }
      expect(() => readSettings(role, environment)).not.toThrow();
      expect(environment['KEEPWATCH_ROLE']).toBe(role);
      for (const { name: setting, value } of env) {
        if (setting === 'KEEPWATCH_ROLE') continue;
        const known = setting.replace(/_FILE$/, '');
        const row = Object.entries(SETTINGS_TABLE).find(([one]) => one === known)?.[1];
        expect(row?.readBy).toContain(role);
        expect(known === setting && row?.isSecret === true && value !== undefined).toBe(false);
      }
    }
  });
});

test('the Helm chart never gives a probe the secret key', () => {
  const { stdout } = render(...withValues('full-values.yaml'));
  const pods = manifestsOf(stdout)
    .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name.includes('-probe-'))
    .map(({ spec }) => workloadShape.parse(spec).template.spec);
  const seen = pods.map(({ initContainers, containers }) => ({
    derives: initContainers.map(({ command }) => command[2]),
    has: containers[0]?.env.map(({ name }) => name).filter((name) => name.includes('_KEY')),
  }));
  expect(seen).toEqual(
    expect.arrayContaining([
      { derives: ['eu-west'], has: expect.arrayContaining(['KEEPWATCH_PROBE_KEY_FILE']) },
      { derives: [], has: expect.arrayContaining(['KEEPWATCH_PROBE_KEY']) },
    ]),
  );
  for (const { has } of seen) expect(has).not.toContain('KEEPWATCH_SECRET_KEY');
});

test('the Helm chart refuses missing and unknown values and names them', () => {
  const { stderr } = render();
  expect(stderr).toContain('settings.KEEPWATCH_PUBLIC_URL is required');
  const minimal = withValues('minimal-values.yaml');
  const refused = [
    ['settings.TEMPORAL_ADRESS=a:1', 'TEMPORAL_ADRESS'],
    ['settings.MONGODB_URI=mongodb://a', 'MONGODB_URI'],
    ['secrets.LOG_LEVEL.name=a', 'LOG_LEVEL'],
    ['probes[0].region=EU', '/probes/0/region'],
  ] as const;
  for (const [value, name] of refused) {
    const answer = render(...minimal, '--set', value);
    expect(answer.status).not.toBe(0);
    expect(answer.stderr).toContain(name);
  }
});
