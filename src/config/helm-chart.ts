/**
 * Renders the parts of the Helm chart that depend on the settings table: the settings of each role, and the schema that
 * rejects unknown names.
 */
import { SETTINGS_TABLE, type SettingName } from './settings-table';

/** Settings that the chart itself sets, and settings that have no use in a container. */
const OWN: ReadonlySet<string> = new Set<SettingName>(['HOST', 'PORT', 'KEEPWATCH_DATA_DIR']);

const settings = Object.entries(SETTINGS_TABLE).filter(([, { readBy }]) => readBy.length > 0);
const chosen = settings.filter(([name]) => !OWN.has(name));

const TEXTS = { type: 'object', additionalProperties: { type: 'string' } } as const;
/** The schema of a region's name. The name is short enough to be part of the name of a Deployment. */
const REGION = { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,18}[a-z0-9]$' } as const;
/** The schema of a reference to one key of a Secret. */
const REFERENCE = closed(
  { name: { type: 'string', minLength: 1 }, key: { type: 'string', minLength: 1 } },
  ['name', 'key'],
);

/** Returns the settings as JSON: the name of each setting, and the roles that read it. */
export function renderHelmSettings(): string {
  return toText(
    Object.fromEntries(settings.map(([name, { readBy }]) => [name, { roles: readBy }])),
  );
}

/** Renders `values.schema.json` of the chart. */
export function renderHelmValuesSchema(): string {
  const role = {
    replicas: { type: 'integer', minimum: 0 },
    settings: { $ref: '#/definitions/settings' },
    secrets: { $ref: '#/definitions/secrets' },
  };
  const served = closed({ ...role, resources: { type: 'object' } });
  return toText({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the Keepwatch chart',
    ...closed(
      {
        image: closed({
          repository: { type: 'string', minLength: 1 },
          tag: { type: 'string' },
          pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
        }),
        imagePullSecrets: { type: 'array', items: { type: 'object' } },
        settings: { $ref: '#/definitions/settings' },
        secrets: { $ref: '#/definitions/secrets' },
        certificates: closed({ secretName: { type: 'string' } }),
        api: served,
        orchestrator: served,
        probes: {
          type: 'array',
          items: closed({ ...role, region: REGION, nodeSelector: { type: 'object' } }, ['region']),
        },
        probeResources: { type: 'object' },
        prepareNamespace: closed({ enabled: { type: 'boolean' } }),
        service: closed({
          type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
          port: { type: 'integer', minimum: 1, maximum: 65_535 },
        }),
        ingress: closed({
          enabled: { type: 'boolean' },
          className: { type: 'string' },
          annotations: TEXTS,
          host: { type: 'string' },
          tlsSecretName: { type: 'string' },
        }),
        networkPolicy: closed({
          enabled: { type: 'boolean' },
          apiFromNamespaces: TEXTS,
          probeDeniedCidrs: { type: 'array', items: { type: 'string', pattern: '/\\d{1,3}$' } },
        }),
        serviceAccount: closed({ name: { type: 'string' }, annotations: TEXTS }),
        podAnnotations: TEXTS,
        global: { type: 'object' },
      },
      ['settings', 'secrets', 'probes'],
    ),
    definitions: {
      settings: closed(describeEach(false, { type: 'string' })),
      secrets: closed(describeEach(true, REFERENCE)),
    },
  });
}

function describeEach(isSecret: boolean, shape: object): Readonly<Record<string, object>> {
  const wanted = chosen.filter(([, row]) => row.isSecret === isSecret);
  return Object.fromEntries(
    wanted.map(([name, { meaning }]) => [name, { ...shape, description: meaning }]),
  );
}

/** Builds the schema of an object with these properties and no others. */
function closed(properties: Readonly<Record<string, object>>, required: readonly string[] = []) {
  return {
    type: 'object',
    additionalProperties: false,
    properties,
    ...(required.length > 0 && { required }),
  };
}

function toText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
