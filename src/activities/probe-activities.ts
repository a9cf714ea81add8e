/**
 * The activities of a probe: read the definition and its secrets, run the step, report the outcome. Secrets leave the
 * process only in the request.
 */
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/activity';
import type { StepInputs, StepRunner } from '../checks/step-runner';
import type { GeneratedValues, ProbeActivities, StepReference } from '../contracts/activities';
import type { Definition } from '../contracts/definition';
import { listReferencedSecrets } from '../domain/secrets/secret-names';
import type { TextSealer } from '../platform/sealing';
import { type DefinitionClient, DefinitionUnavailableError } from './definition-client';
import {
  createRunCookieSealer,
  createRunValueSealer,
  openRunCookies,
  openRunValues,
} from './run-values';
import { type SecretClient, SecretsUnavailableError } from './secret-client';

/** Failure types of steps that were refused before anything was sent. */
const UNREADABLE = { definition: 'definition_unreadable', secrets: 'secrets_unreadable' } as const;
const MISSING = 'definition_missing';
const UNPREPARED = 'step_unprepared';
const REFUSALS: ReadonlySet<unknown> = new Set([
  UNREADABLE.definition,
  UNREADABLE.secrets,
  MISSING,
  UNPREPARED,
]);

export interface ProbeDependencies {
  readonly definitions: Pick<DefinitionClient, 'read'>;
  readonly secrets: Pick<SecretClient, 'read'>;
  readonly runner: Pick<StepRunner, 'runStep'>;
  /** Encrypts and decrypts secret values of runs. */
  readonly runValues: Pick<TextSealer, 'seal' | 'open'> & {
    /** Reads the keys again. Called when no known key decrypts a value. */
    readonly renew: () => Promise<void>;
  };
}

/** Each activity throws if the definition or its secrets cannot be read. Nothing was sent in that case. */
export function createProbeActivities(dependencies: ProbeDependencies): ProbeActivities {
  const { definitions, runner } = dependencies;
  const secretNames = createSecretNames();
  return {
    runHttpStep: async (step) => {
      const definition = await definitions.read(step).catch(refuse);
      const names = secretNames(definition);
      const inputs = await readInputs(dependencies, step, names).catch(refuse);
      return runner.runStep(definition, step.stepIndex, inputs);
    },
  };
}

/**
 * Returns a function that lists the names of the secrets of every step. A target may send back a secret that an earlier
 * step used, so the secrets of all steps must be masked.
 */
function createSecretNames(): (definition: Definition) => readonly string[] {
  const known = new WeakMap<Definition, readonly string[]>();
  return (definition) => {
    const names = known.get(definition) ?? listReferencedSecrets(definition.steps);
    known.set(definition, names);
    return names;
  };
}

async function readInputs(
  { secrets, runValues }: ProbeDependencies,
  step: StepReference,
  names: readonly string[],
): Promise<StepInputs> {
  const open = () => ({
    vars: openRunValues(runValues, step),
    cookies: openRunCookies(runValues, step),
  });
  return {
    accountId: step.accountId,
    ...(await openOrRenew(open, runValues.renew)),
    generated: step.generated ?? generatedFor(step),
    slotMs: step.slotMs,
    limitMs: step.limitMs,
    secrets: names.length === 0 ? [] : await secrets.read(step, names),
    sealExtracted: createRunValueSealer(runValues, step),
    sealCookies: createRunCookieSealer(runValues, step),
  };
}

/** Calls `open`. If no known key decrypts the value, reads the keys again and calls `open` once more. */
async function openOrRenew<Opened>(open: () => Opened, renew: () => Promise<void>) {
  try {
    return open();
  } catch {
    await renew();
    return open();
  }
}

function refuse(error: unknown): never {
  const type = nameRefusal(error);
  const message = error instanceof Error ? error.message : 'the step cannot be prepared';
  throw ApplicationFailure.create({ message, type, nonRetryable: true });
}

function nameRefusal(error: unknown): string {
  if (error instanceof DefinitionUnavailableError)
    return error.isMissing ? MISSING : UNREADABLE.definition;
  return error instanceof SecretsUnavailableError ? UNREADABLE.secrets : UNPREPARED;
}

/** True if the error means that a step was refused before anything was sent. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApplicationFailure && REFUSALS.has(error.type);
}

/** True if the error means that a step was refused because the API does not respond. A retry may then succeed. */
export function isRefusedForNow(error: unknown): boolean {
  if (!(error instanceof ApplicationFailure)) return false;
  return error.type === UNREADABLE.definition || error.type === UNREADABLE.secrets;
}

/** Returns the generated values for a check of a monitor. In a retry of the activity, only `runId` is the same. */
function generatedFor({ id, slotMs }: StepReference): GeneratedValues {
  return { uuid: randomUUID(), now: new Date().toISOString(), runId: `${id}-${slotMs}` };
}
