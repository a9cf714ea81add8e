/**
 * Runs a step of any type. An error of our own code gives the outcome `unknown` and is logged. HTTP steps make their
 * own tries and outcomes. For all other types, this file makes the tries and the outcome.
 */
import { catchFailure } from '../checks/attempt';
import { catchEarlyFailure } from '../checks/catch-early-failure';
import { createDeadline } from '../checks/deadline';
import { type Extractions, findFirstFailure } from '../checks/examine-response';
import { createPhaseClock } from '../checks/phase-clock';
import { createRedaction, type Redaction } from '../checks/redaction';
import {
  buildTemplateValues,
  createStepTools,
  listHiddenValues,
  type StepInputs,
  type StepRunner,
  type StepRunnerOptions,
  type StepTools,
} from '../checks/step-runner';
import { type Definition, isNetworkStep, type SentNetworkStep } from '../contracts/definition';
import type { StepOutcome } from '../contracts/outcome';
import { isWorthAnotherTry } from '../domain/health/tries';
import { MASK } from '../domain/secrets/redact';
import { extractFrom } from './extract';
import { createFillInKind, type FillInKind } from './fill-in';
import { createRunHttp } from './http/run';
import { buildOutcome, type KindTry } from './outcome';
import { createFound } from './probing';
import { createRunKind, type RunKind, type RunNeeds } from './runners';

type KindRunnerOptions = StepRunnerOptions & Omit<RunNeeds, 'connection'>;

interface KindTools extends StepTools {
  readonly userAgent: string;
  readonly runKind: RunKind;
  readonly fillIn: FillInKind;
}

/** Creates the runner. Throws immediately if an allowed range of private targets is invalid. */
export function createStepRunner(
  options: KindRunnerOptions,
  stepTools: StepTools = createStepTools(options),
): StepRunner {
  const { connection } = stepTools;
  const { userAgent, region } = options;
  const runKind = createRunKind({ ...options, connection });
  const runHttp = createRunHttp(options, stepTools);
  const tools = { ...stepTools, userAgent, runKind, fillIn: createFillInKind() };
  async function runOne(definition: Definition, stepIndex: number, inputs: StepInputs) {
    const step = definition.steps[stepIndex];
    if (step === undefined) throw new RangeError(`there is no step ${stepIndex}`);
    return isNetworkStep(step)
      ? measure({ definition, step, inputs, region }, tools)
      : runHttp(definition, step, inputs);
  }
  return {
    runStep: (definition, stepIndex, inputs) =>
      catchEarlyFailure(options, () => runOne(definition, stepIndex, inputs)),
    close: () => stepTools.pool.close(),
  };
}

interface Measuring {
  readonly definition: Definition;
  readonly step: SentNetworkStep;
  readonly inputs: StepInputs;
  readonly region: string;
}

async function measure(
  { definition, step: given, inputs, region }: Measuring,
  tools: KindTools,
): Promise<StepOutcome> {
  const values = buildTemplateValues(definition, inputs, region);
  const { vars = [], secrets = [], sealExtracted } = inputs;
  const { secretVariables } = values;
  const step = tools.fillIn({ definition, step: given, values, vars, secrets });
  const redaction = createRedaction(
    listHiddenValues(definition, inputs, secretVariables),
    tools.pool,
  );
  const limitMs = inputs.limitMs ?? Number.POSITIVE_INFINITY;
  const tries = await tryUntilPassed(step, { redaction, secretVariables, limitMs }, tools);
  return buildOutcome(step, tries, { redaction, sealExtracted });
}

interface Trying {
  readonly redaction: Redaction;
  /** Variables whose extracted values are secret. */
  readonly secretVariables: ReadonlySet<string>;
  /** Time limit for all tries together. */
  readonly limitMs: number;
}

async function tryUntilPassed(
  step: SentNetworkStep,
  trying: Trying,
  tools: KindTools,
): Promise<readonly KindTry[]> {
  const tries: KindTry[] = [];
  let { limitMs } = trying;
  for (let count = 0; count <= step.retries; count += 1) {
    const one = await tryOnce(step, { ...trying, limitMs }, tools);
    tries.push(one);
    limitMs -= one.timings.totalMs;
    if (!isWorthAnotherTry(one.failure) || limitMs <= 0) break;
  }
  return tries;
}

async function tryOnce(
  step: SentNetworkStep,
  { limitMs, redaction, secretVariables }: Trying,
  tools: KindTools,
): Promise<KindTry> {
  const startedAt = new Date().toISOString();
  const clock = createPhaseClock();
  const deadline = createDeadline(Math.max(1, Math.min(step.timeoutMs, limitMs)), clock);
  const found = createFound();
  try {
    const probing = { ...tools, redaction, clock, deadline, found };
    const failure = await catchFailure(tools.runKind(step, probing));
    clock.stop();
    const extracting = { ...tools, redaction, found, secretVariables };
    const extractions = await extractFrom(step.extract ?? [], extracting);
    const timings = clock.timings();
    const judged = failure ?? findFirstFailure(found.assertions) ?? extractions.failure;
    const one = { startedAt, timings, failure: judged, found, extractions };
    return holdsSecret(extractions) ? withoutText(one) : one;
  } finally {
    deadline.clear();
  }
}

function holdsSecret({ extracted, areSecretsFound }: Extractions): boolean {
  return !areSecretsFound || extracted.some(({ secret }) => secret === true);
}

/** Removes the texts of assertions, because they may contain a secret that was found later. */
function withoutText({ found, failure, ...one }: KindTry): KindTry {
  const assertions = found.assertions.map((assertion) =>
    assertion.type === 'body'
      ? { ...assertion, actual: MASK, message: judgement(assertion.ok) }
      : assertion,
  );
  const isShown = failure?.code === 'assertion_failed';
  const hidden = isShown ? { ...failure, message: judgement(false) } : failure;
  return { ...one, found: { ...found, assertions }, failure: hidden };
}

function judgement(isGood: boolean): string {
  return isGood ? 'The response is as expected.' : 'The response is not as expected.';
}
