/** Converts templates that cannot be filled in to failures. Such a step ends before anything is sent. */
import type { Rendered } from '../domain/templates/template';
import { MissingVariableFailure, StepFailure } from './step-failure';

export function templateFailure(message: string): StepFailure {
  return new StepFailure('template_error', message, 'prepare');
}

/** Returns the value. Throws StepFailure if there is no value. */
export function unwrapRendered<Value>(rendered: Rendered<Value>): Value {
  if (rendered.ok) return rendered.value;
  const { code, message, missingVariable } = rendered.fault;
  if (missingVariable !== undefined) throw new MissingVariableFailure(missingVariable, message);
  throw new StepFailure(code, message, 'prepare');
}
