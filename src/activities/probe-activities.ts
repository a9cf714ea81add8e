/** What a probe does for workflows: read the definition, carry out the step, report the outcome. */
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/activity';
import type { StepRunner } from '../checks/run-http-step';
import type { GeneratedValues, ProbeActivities, StepReference } from '../contracts/activities';
import { type DefinitionClient, DefinitionUnavailableError } from './definition-client';

export interface ProbeDependencies {
  readonly definitions: Pick<DefinitionClient, 'read'>;
  readonly runner: Pick<StepRunner, 'runStep'>;
}

/** Throws only before anything was sent: the definition is gone or can't be read. */
export function createProbeActivities({ definitions, runner }: ProbeDependencies): ProbeActivities {
  return {
    runHttpStep: async (step) => {
      const definition = await definitions.read(step).catch(refuse);
      return runner.runStep(definition, step.stepIndex, {
        vars: step.vars ?? [],
        generated: step.generated ?? generatedFor(step),
        slotMs: step.slotMs,
      });
    },
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof DefinitionUnavailableError)) throw error;
  const type = error.isMissing ? 'definition_missing' : 'definition_unreadable';
  throw ApplicationFailure.create({ message: error.message, type, nonRetryable: true });
}

/** A monitor's check has no run: its values are fixed for the one check. */
function generatedFor({ id, slotMs }: StepReference): GeneratedValues {
  return { uuid: randomUUID(), now: new Date().toISOString(), runId: `${id}-${slotMs}` };
}
