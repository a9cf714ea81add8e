/**
 * Creates one span for the request of each step. The parent is the span of the activity. Without such a span, the span
 * starts a new trace.
 */
import type { StepRunner } from '../checks/step-runner';
import { isNetworkStep, readMethod, type SentStep } from '../contracts/definition';
import type { Tracing } from '../platform/tracing';

/** Returns the runner with tracing. Without tracing, returns the runner itself. */
export function traceSteps(
  runner: Pick<StepRunner, 'runStep'>,
  tracing: Tracing | undefined,
  region: string,
): Pick<StepRunner, 'runStep'> {
  if (tracing === undefined) return runner;
  return {
    runStep: async (definition, stepIndex, inputs) => {
      const step = definition.steps[stepIndex];
      const span = tracing.begin({
        name: step === undefined ? 'HTTP' : readMethod(step),
        kind: 'CLIENT',
        facts: {
          ...readHost(step),
          ...(step !== undefined && isNetworkStep(step)
            ? { 'keepwatch.type': step.type }
            : { 'http.request.method': step?.method ?? '' }),
          'keepwatch.resource_id': definition.id,
          'keepwatch.region': region,
          'keepwatch.slot': new Date(inputs.slotMs).toISOString(),
        },
      });
      const { traceparent } = span;
      const outcome = await runner.runStep(definition, stepIndex, { ...inputs, traceparent });
      const { response, status, failure } = outcome;
      span.add({
        'keepwatch.status': status,
        ...(response?.status == null ? {} : { 'http.response.status_code': response.status }),
        ...(failure === null ? {} : { 'error.type': failure.code }),
      });
      span.end(failure?.code);
      return outcome;
    },
  };
}

/**
 * Returns the host of the request as an attribute of the span. Empty if the host contains a variable, because its value
 * may be a secret.
 */
function readHost(step: SentStep | undefined): Readonly<Record<string, string>> {
  if (step === undefined || !URL.canParse(step.url)) return {};
  const { hostname } = new URL(step.url);
  return /[{}%]/.test(hostname) ? {} : { 'server.address': hostname };
}
