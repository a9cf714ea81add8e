/**
 * Converts the error of a template that cannot be filled in to a failure, which ends the step before anything is sent.
 */
import type { Rendered } from '../domain/templates/template';
import { MissingVariableFailure, StepFailure } from './step-failure';

export function createTemplateFailure(message: string): StepFailure {
  return new StepFailure('template_error', message, 'prepare');
}

/** Returns the rendered value. Throws StepFailure if the template could not be filled in. */
export function unwrapRendered<Value>(rendered: Rendered<Value>): Value {
  if (rendered.ok) return rendered.value;
  const { code, message, missingVariable } = rendered.fault;
  if (missingVariable !== undefined) throw new MissingVariableFailure(missingVariable, message);
  throw new StepFailure(code, message, 'prepare');
}
