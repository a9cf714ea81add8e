/** Tests both compose files against the settings, the sources and the rules of operation. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { readSettings } from '../../src/config/settings';
import { type ProcessRole, SETTINGS_TABLE } from '../../src/config/settings-table';
import { SEARCH_ATTRIBUTE_TYPES } from '../../src/contracts/search-attributes';
import { TEMPORAL_WHEEL } from '../../src/embedded/pinned-servers';
import { deriveLocalProbeKey } from '../../src/platform/local-probe-key';
import { TEMPORAL_SERVER_MIN } from '../../src/temporal/server-version';
import { interpolate, isJob, ROOT, readCompose, roleOf, type Service } from './read-compose';

const REQUIRED = {
  KEEPWATCH_SECRET_KEY: 'ab'.repeat(32),
  KEEPWATCH_PUBLIC_URL: 'https://watch.example.com',
  KEEPWATCH_TRUST_PROXY: '1',
  POSTGRES_PASSWORD: 'cd'.repeat(32),
  MONGO_PASSWORD: 'ef'.repeat(32),
  MONGO_REPLICA_KEY: '01'.repeat(32),
};
/** Settings of the Temporal server. Without them, an activity notices its cancellation only at its next heartbeat. */
const PUSH_SETTINGS = [
  'frontend.WorkerCommandsEnabled',
  'system.enableCancelActivityWorkerCommand',
];
const DATABASE_PORTS = ['27017', '5432', '7233'];
const FILES = ['docker-compose.yml', 'docker-compose.prod.yml'];

function processRole(role: string): ProcessRole {
  if (role === 'api' || role === 'orchestrator' || role === 'probe') return role;
  throw new Error(`no role of ours: ${role}`);
}

/** Returns the names of the settings that a service gets. `NAME_FILE` counts as `NAME`. */
function settingsOf({ environment }: Service): readonly string[] {
  return Object.keys(environment).map((name) => name.replace(/_FILE$/, ''));
}

/** Returns the region of a probe. The region is part of the name of the volume that contains the key. */
function regionOf({ volumes }: Service): string {
  return /^probe-key-([a-z-]+):/.exec(volumes[0] ?? '')?.[1] ?? '';
}

/**
 * Returns the environment with a key in place of the path of the key's file. The key has the form that the job writes.
 */
function withKey(service: Service): Readonly<Record<string, string>> {
  const { KEEPWATCH_PROBE_KEY_FILE: file, ...rest } = service.environment;
  if (file === undefined) return rest;
  const key = deriveLocalProbeKey([REQUIRED.KEEPWATCH_SECRET_KEY], regionOf(service));
  return { ...rest, KEEPWATCH_PROBE_KEY: key };
}

describe.each(FILES)('%s', (file) => {
  const compose = readCompose(file, REQUIRED);
  const services = Object.entries(compose.services);
  const ours = services.flatMap(([name, service]) => {
    const role = roleOf(service);
    return role === null ? [] : [{ name, service, role }];
  });

  test.each(services)(
    'the service %s has a health check, or is a job that other services wait for',
    (name, service) => {
      expect(service.healthcheck === undefined).toBe(isJob(name, compose));
      expect(service.restart === 'on-failure').toBe(isJob(name, compose));
    },
  );

  test.each(services)(
    'the service %s waits only for services that can become healthy or finish',
    (_name, service) => {
      for (const [other, { condition }] of Object.entries(service.depends_on)) {
        const target = compose.services[other];
        expect(target).toBeDefined();
        if (condition === 'service_healthy') expect(target?.healthcheck).toBeDefined();
      }
    },
  );

  test.each(services)('the service %s has a pinned image', (_name, { image, build }) => {
    expect(image).toMatch(/:v?\d+[\w.-]*$|^keepwatch:dev$/);
    expect(/^keepwatch[:/]/.test(image)).toBe(build !== undefined);
  });

  test.each(services)(
    'the service %s publishes no database port, and other ports only on loopback',
    (_name, { ports }) => {
      for (const port of ports) {
        expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
        expect(DATABASE_PORTS).not.toContain(port.split(':')[2]);
      }
    },
  );

  test.each(services)(
    'the service %s mounts only declared volumes and folders that exist',
    (_name, service) => {
      for (const volume of service.volumes) {
        const [source = '', , mode] = volume.split(':');
        if (source.startsWith('./')) {
          expect(existsSync(path.join(ROOT, source))).toBe(true);
          expect(mode).toBe('ro');
        } else expect(Object.keys(compose.volumes)).toContain(source);
      }
    },
  );

  test.each(ours)(
    'the service $name and its health check start programs that exist',
    ({ service, role }) => {
      const [, program = '', checked] = (service.healthcheck?.test ?? []).slice(1);
      expect(existsSync(path.join(ROOT, `src/main/${role}.ts`))).toBe(true);
      expect(program).toBe('dist/main/health.js');
      expect(existsSync(path.join(ROOT, 'src/main/health.ts'))).toBe(true);
      expect(checked).toBe(role);
    },
  );

  test.each(ours)(
    'the service $name gets only known settings, all that its role requires, and the secret key unless it is a probe',
    ({ service, role }) => {
      const names = settingsOf(service);
      expect(names.filter((name) => !(name in SETTINGS_TABLE))).toEqual([]);
      expect(() => readSettings(processRole(role), withKey(service))).not.toThrow();
      expect(names.includes('KEEPWATCH_SECRET_KEY')).toBe(role !== 'probe');
    },
  );

  test.each(ours)(
    'the service $name gets every setting that its role reads',
    ({ service, role }) => {
      const read = Object.entries(SETTINGS_TABLE).filter(([, { readBy }]) =>
        readBy.some((reader) => reader === processRole(role)),
      );
      const missing = read
        .map(([name]) => name)
        .filter((name) => !settingsOf(service).includes(name));
      // Leaves out the data folder, because only all-in-one has one and containers do not.
      expect(missing.filter((name) => name !== 'KEEPWATCH_DATA_DIR')).toEqual([]);
    },
  );

  test.each(ours)(
    'the service $name gets only settings that its role reads',
    ({ service, role }) => {
      const unread = Object.entries(SETTINGS_TABLE).filter(
        ([name, { readBy }]) =>
          // The program of the image reads KEEPWATCH_ROLE before it knows the role.
          name !== 'KEEPWATCH_ROLE' &&
          settingsOf(service).includes(name) &&
          !readBy.some((reader) => reader === processRole(role)),
      );
      expect(unread.map(([name]) => name)).toEqual([]);
    },
  );

  test('the API and the orchestrator have the same settings for mail and for allowed targets', () => {
    const both = ['api', 'orchestrator'].map((name) => compose.services[name]?.environment ?? {});
    const [api = {}, orchestrator = {}] = both;
    const shared = Object.keys(api).filter(
      (name) => name in orchestrator && name !== 'KEEPWATCH_ROLE',
    );
    expect(shared.map((name) => [name, api[name]])).toEqual(
      shared.map((name) => [name, orchestrator[name]]),
    );
  });

  test.each(ours)(
    'the service $name runs without privileges, and has time to finish its work when it stops',
    ({ service }) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        stop_grace_period: '30s',
        init: true,
      });
    },
  );

  test('each compose file has an api, an orchestrator and a probe for each of two regions', () => {
    const api = readSettings('api', compose.services['api']?.environment);
    const regions = ours
      .filter(({ role }) => role === 'probe')
      .map(({ service }) => regionOf(service));
    expect(ours.map(({ role }) => role).toSorted()).toEqual([
      'api',
      'orchestrator',
      'probe',
      'probe',
    ]);
    expect(regions).toEqual(['eu-west', 'us-east']);
    expect(api.KEEPWATCH_REGIONS).toEqual(regions);
  });

  test('each compose file gives probes the URL of the API and no database', () => {
    const { PORT, HOST } = readSettings('api', compose.services['api']?.environment);
    for (const { service } of ours.filter(({ role }) => role === 'probe')) {
      expect(service.environment['KEEPWATCH_API_URL']).toBe(`http://api:${PORT}`);
      expect(service.environment).not.toHaveProperty('MONGODB_URI');
    }
    expect(HOST).toBe('0.0.0.0');
  });

  test('each compose file gives each probe the key of one region, in a read-only volume', () => {
    for (const { service } of ours.filter(({ role }) => role === 'probe')) {
      const volume = `probe-key-${regionOf(service)}`;
      expect(service.volumes).toEqual([`${volume}:/probe-key:ro`]);
      const job = compose.services[volume];
      expect(job?.volumes).toEqual([`${volume}:/probe-key`]);
      expect(job?.command?.at(-1)).toBe(service.environment['KEEPWATCH_PROBE_KEY_FILE']);
      expect(job).toMatchObject({ network_mode: 'none', read_only: true, cap_drop: ['ALL'] });
    }
  });

  test('each compose file runs every role from one image', () => {
    expect(new Set(ours.map(({ service }) => service.image)).size).toBe(1);
  });

  test('each compose file refuses to start without a secret key, and says how to create one', () => {
    const { KEEPWATCH_SECRET_KEY: _left, ...rest } = REQUIRED;
    expect(() => readCompose(file, rest)).toThrow(/KEEPWATCH_SECRET_KEY: .*openssl rand -hex 32/);
  });

  test('each compose file registers every search attribute of the workflows', () => {
    const { temporal, ...others } = compose.services;
    const text = [temporal?.command, others['temporal-namespace']?.entrypoint].join('\n');
    const listed = [...text.matchAll(/Keepwatch(\w+)=(\w+)/g)].map(([, name, type]) => [
      name,
      type,
    ]);
    const looped = [...text.matchAll(/for name in ([\w ]+);/g)].flatMap(([, names = '']) =>
      names.split(' ').map((name) => [name, 'Keyword']),
    );
    const single = [...text.matchAll(/--name Keepwatch(\w+) --type (\w+)/g)].map(
      ([, name, type]) => [name, type],
    );
    const found = Object.fromEntries([...listed, ...looped, ...single]);
    const expected = Object.entries(SEARCH_ATTRIBUTE_TYPES).map(([name, type]) => [
      name.replace(/^Keepwatch/, ''),
      type,
    ]);
    expect(found).toEqual(Object.fromEntries(expected));
  });
});

describe('docker-compose.yml', () => {
  const { services } = readCompose('docker-compose.yml', REQUIRED);

  test('docker-compose.yml runs the Temporal version that `npm start` downloads, with its UI on loopback', () => {
    expect(services['temporal']?.image).toBe(`temporalio/temporal:${TEMPORAL_WHEEL.version}`);
    const { command } = services['temporal'] ?? {};
    expect(command).toContain('--ui-port=8233');
    for (const name of PUSH_SETTINGS)
      expect(command).toContain(`--dynamic-config-value=${name}=true`);
    expect(services['temporal']?.ports).toEqual(['127.0.0.1:8233:8233']);
  });

  test('docker-compose.yml needs only one variable', () => {
    const { KEEPWATCH_SECRET_KEY } = REQUIRED;
    expect(() => readCompose('docker-compose.yml', { KEEPWATCH_SECRET_KEY })).not.toThrow();
  });

  test('docker-compose.yml has MongoDB 8, and a mail catcher that gets all emails', () => {
    expect(services['mongo']?.image).toMatch(/^mongo:8\./);
    expect(services['mail']?.image).toMatch(/^axllent\/mailpit:/);
    for (const name of ['api', 'orchestrator'])
      expect(services[name]?.environment['SMTP_URL']).toBe('smtp://mail:1025');
  });
});

describe('docker-compose.prod.yml', () => {
  const compose = readCompose('docker-compose.prod.yml', REQUIRED);
  const { services } = compose;

  test.each(Object.keys(REQUIRED))(
    'docker-compose.prod.yml refuses to start without %s',
    (name) => {
      const rest = Object.fromEntries(Object.entries(REQUIRED).filter(([other]) => other !== name));
      expect(() => readCompose('docker-compose.prod.yml', rest)).toThrow(`${name}: `);
    },
  );

  test.each(Object.entries(services))(
    'the service %s has a memory limit and a restart policy',
    (_name, service) => {
      expect(service.deploy?.resources.limits.memory).toMatch(/^\d+[mg]$/);
      expect(['always', 'on-failure']).toContain(service.restart);
    },
  );

  test('docker-compose.prod.yml connects to a replica set whose members start with its name and a key file', () => {
    const uri = services['api']?.environment['MONGODB_URI'] ?? '';
    const set = /[?&]replicaSet=(\w+)/.exec(uri)?.[1];
    const members = ['mongo-1', 'mongo-2', 'mongo-3'];
    const hosts = members.map((name) => `${name}:27017`).join(',');
    expect(uri).toContain(`://keepwatch:${REQUIRED.MONGO_PASSWORD}@${hosts}/keepwatch?`);
    for (const name of members) {
      expect(services[name]?.entrypoint?.at(-1)).toContain(`--replSet ${set} --keyFile`);
    }
    expect(services['mongo-setup']?.entrypoint?.at(-1)).toContain(`_id: '${set}'`);
  });

  test('docker-compose.prod.yml runs the Temporal server, its schema job and its tools in one version that is new enough', () => {
    const { major, minor } = TEMPORAL_SERVER_MIN;
    const versions = ['temporal', 'temporal-schema', 'temporal-namespace'].map((name) =>
      services[name]?.image.split(':').at(-1),
    );
    expect(new Set(versions).size).toBe(1);
    expect(versions[0]).toMatch(new RegExp(`^${major}\\.${minor}\\.\\d+$`));
  });

  test('docker-compose.prod.yml mounts the file of dynamic settings that Temporal needs to start', () => {
    const { environment = {}, volumes = [] } = services['temporal'] ?? {};
    const [folder = '', inside = ''] = volumes[0]?.split(':') ?? [];
    const file = environment['DYNAMIC_CONFIG_FILE_PATH'] ?? '';
    expect(path.posix.dirname(file)).toBe(inside);
    const settings: unknown = parse(
      readFileSync(path.join(ROOT, folder, path.posix.basename(file)), 'utf8'),
    );
    for (const name of PUSH_SETTINGS) expect(settings).toHaveProperty([name], [{ value: true }]);
  });

  test('docker-compose.prod.yml allows enough PostgreSQL connections for several Temporal nodes', () => {
    expect(services['postgres']?.command).toContain('max_connections=300');
  });

  test('docker-compose.prod.yml keeps probes off the network of the databases', () => {
    for (const name of ['probe-eu-west', 'probe-us-east']) {
      expect(services[name]?.networks).not.toContain('data');
    }
    for (const name of ['postgres', 'mongo-1', 'mongo-2', 'mongo-3']) {
      expect(services[name]?.networks).toEqual(['data']);
    }
    expect(compose.networks['data']).toEqual({ internal: true });
  });
});

test('variables in compose files are replaced as the compose specification says', () => {
  const variables = { SET: 'x', EMPTY: '' };
  expect(interpolate('a ${SET:-d} ${EMPTY:-d} ${NONE:-} $$HOME', variables)).toBe('a x d  $HOME');
  expect(() => interpolate('${EMPTY:?needed}', variables)).toThrow('EMPTY: needed');
  expect(() => interpolate('$SET', variables)).toThrow('not understood');
});
