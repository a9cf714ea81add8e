/**
 * The tools of a probe for checks of all types, and the values that a step uses. The requests of each type are sent by
 * `src/kinds/<type>/run.ts`.
 */
import { randomUUID } from 'node:crypto';
import type { GeneratedValues } from '../contracts/activities';
import type { Definition, JsonValue } from '../contracts/definition';
import type { StepOutcome } from '../contracts/outcome';
import type { ProbeSecret } from '../contracts/probe-protocol';
import { listReferencedCodes } from '../domain/secrets/secret-names';
import type { ReachingVariable } from '../domain/secrets/secret-reach';
import type { TemplateValues } from '../domain/templates/template';
import { createTextPool, type TextPool } from '../text/text-pool';
import { createTokenSource } from './auth/token-source';
import { createCode, listCodes } from './auth/totp';
import type { FillNeeds } from './fill-in-step';
import type { ConnectionDependencies } from './open-connection';
import type { SealExtracted } from './outcome';
import type { OutgoingOptions } from './outgoing-options';
import { createFindProxy } from './proxy/find-proxy';
import { createResolveHost } from './resolve-host';
import { createTargetGuard } from './target-guard';
import { createPrepareTls } from './tls/prepare-tls';
import { createTrust } from './tls/secure-socket';

export interface StepRunnerOptions extends OutgoingOptions {
  /** The default `User-Agent`. */
  readonly userAgent: string;
  readonly region: string;
  readonly logger?: { readonly error: (details: object, message: string) => void };
}

export interface StepInputs {
  /** The account that owns the definition. */
  readonly accountId?: string | undefined;
  readonly slotMs: number;
  /** Time limit for the step with all its tries, in addition to the step's own timeouts. */
  readonly limitMs?: number | undefined;
  /** Plain values that earlier steps of the run extracted. They override the definition's values. */
  readonly vars?: readonly ReachingVariable[] | undefined;
  readonly generated?: GeneratedValues | undefined;
  /** The values of `{{secret:name}}`. They are masked in everything that the target returns. */
  readonly secrets?: readonly ProbeSecret[] | undefined;
  /** Encrypts secret values that the step extracts, for the next step. If absent, the values are masked. */
  readonly sealExtracted?: SealExtracted | undefined;
  /** The unencrypted cookies of the run so far, as one text. */
  readonly cookies?: string | null | undefined;
  readonly traceparent?: string | undefined;
  /** Encrypts the cookies for the next step. If absent, they are dropped after the step. */
  readonly sealCookies?: ((text: string) => string) | undefined;
}

export interface StepRunner {
  /** Runs one step with its retries. Never rejects because of the target. */
  readonly runStep: (
    definition: Definition,
    stepIndex: number,
    inputs: StepInputs,
  ) => Promise<StepOutcome>;
  readonly close: () => Promise<void>;
}

/** The tools that checks of all kinds share. */
export interface StepTools extends Omit<FillNeeds, 'userAgent'> {
  readonly connection: ConnectionDependencies;
  readonly pool: TextPool;
}

/** Creates the tools. Throws immediately if an allowed range is invalid. */
export function createStepTools(options: OutgoingOptions): StepTools {
  const { extraAuthorities = [] } = options;
  const connection = {
    guard: createTargetGuard(options),
    resolveHost: options.resolveHost ?? createResolveHost(),
    trust: createTrust(extraAuthorities),
  };
  return {
    connection,
    pool: createTextPool(),
    tokens: createTokenSource(connection),
    prepareTls: createPrepareTls(extraAuthorities),
    findProxy: createFindProxy(options.proxies ?? []),
  };
}

/** Returns the values of all references in one step. */
export function buildTemplateValues(
  definition: Definition,
  { vars = [], generated, secrets = [], slotMs }: StepInputs,
  region: string,
): TemplateValues & { readonly secretVariables: ReadonlySet<string> } {
  const { uuid, now, runId } = generated ?? {
    uuid: randomUUID(),
    now: new Date(slotMs).toISOString(),
    runId: '',
  };
  const variables = [...definition.variables, ...vars];
  return {
    variables: new Map(variables.map(({ name, value }) => [name, value])),
    secretVariables: new Set(
      variables.filter(({ secret }) => secret === true).map(({ name }) => name),
    ),
    generated: { uuid, now, runId, region },
    secrets: new Map(secrets.map(({ name, value }) => [name, value])),
    createCode: (key) => createCode(key, Date.now()),
  };
}

/** Lists the values to mask: secrets, their one-time passwords, and variables with secret names. */
export function listHiddenValues(
  { variables, steps }: Definition,
  { secrets = [], vars = [] }: StepInputs,
  secretVariables: ReadonlySet<string>,
): readonly JsonValue[] {
  const hidden = [...variables, ...vars].filter(({ name }) => secretVariables.has(name));
  const codes = secrets.length === 0 ? [] : computeCodes(steps, secrets);
  return [...[...secrets, ...hidden].map(({ value }) => value), ...codes];
}

function computeCodes(
  steps: Definition['steps'],
  secrets: NonNullable<StepInputs['secrets']>,
): readonly string[] {
  const names = listReferencedCodes(steps);
  return secrets
    .filter(({ name }) => names.includes(name))
    .flatMap(({ value }) => listCodes(value, Date.now()));
}
