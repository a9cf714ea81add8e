/**
 * Reads a compose file as Docker does. It merges YAML, then inserts variables from the given environment. It supports
 * only the syntax that our files use and refuses other syntax.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

export const ROOT = path.join(__dirname, '../..');

const conditions = z.enum(['service_healthy', 'service_completed_successfully']);

const serviceShape = z.strictObject({
  image: z.string(),
  build: z.literal('.').optional(),
  user: z.string().optional(),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()).optional(),
  network_mode: z.string().optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: conditions })).default({}),
  healthcheck: z
    .strictObject({
      test: z.tuple([z.literal('CMD')], z.string()),
      interval: z.string(),
      timeout: z.string(),
      retries: z.int().min(1),
      start_period: z.string(),
      start_interval: z.string(),
    })
    .optional(),
  restart: z.enum(['always', 'unless-stopped', 'on-failure']),
  stop_grace_period: z.string().optional(),
  init: z.boolean().optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  deploy: z
    .strictObject({
      resources: z.strictObject({
        limits: z.strictObject({ cpus: z.string(), memory: z.string() }),
      }),
    })
    .optional(),
});

const composeShape = z.looseObject({
  name: z.string(),
  services: z.record(z.string(), serviceShape),
  volumes: z.record(z.string(), z.null()).default({}),
  networks: z.record(z.string(), z.unknown()).default({}),
});

export type Service = z.output<typeof serviceShape>;
export type Compose = z.output<typeof composeShape>;

/**
 * Returns the file with every variable replaced. If a required variable is missing, throws the message that the file
 * defines for it.
 */
export function readCompose(file: string, variables: Readonly<Record<string, string>>): Compose {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const tree: unknown = parse(text, { merge: true });
  return composeShape.parse(replaceVariables(tree, variables));
}

function replaceVariables(node: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof node === 'string') return interpolate(node, variables);
  if (Array.isArray(node)) return node.map((item) => replaceVariables(item, variables));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, replaceVariables(value, variables)]),
  );
}

/** Replaces `${A:-default}`, `${A:?sentence}` and `$$` as the compose specification defines. */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$(?:(\$)|\{([A-Z_]+):([-?])([^}]*)\}|(.?))/g,
    (whole, dollar, name, operator, rest) => {
      if (dollar === '$') return '$';
      if (name === undefined) throw new Error(`not understood: ${whole}`);
      const value = variables[name] ?? '';
      if (value !== '') return value;
      if (operator === '?') throw new Error(`${name}: ${rest}`);
      return rest;
    },
  );
}

/** Returns true if other services wait until this service has exited successfully. */
export function isJob(name: string, { services }: Compose): boolean {
  return Object.values(services).some(
    ({ depends_on }) => depends_on[name]?.condition === 'service_completed_successfully',
  );
}

/** Returns the role that a service of our image runs. null for jobs and for services of other images. */
export function roleOf({ environment }: Service): string | null {
  return environment['KEEPWATCH_ROLE'] ?? null;
}

/** Returns the region for whose probes a job writes a key. null for every other service. */
export function keyRegionOf({ command }: Service): string | null {
  const [, program, region] = command ?? [];
  return program === 'dist/main/probe-key.js' ? (region ?? null) : null;
}
