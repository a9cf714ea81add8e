/**
 * Steps that name no variable, secret or generated value come to the same request at every slot: it is made once for
 * each revision of a definition. A step that fills in anything is made anew each time, and not here.
 */
import type { StepDefinition } from '../contracts/definition';
import { filledInOf } from '../domain/templates/payload';
import { findReferences, type TemplateValues } from '../domain/templates/template';
import { textsIn } from '../domain/text/texts-in';
import type { WireRequest } from './http/write-request';
import { renderAssertions } from './render-assertions';
import { renderRequest } from './render-request';

export interface FixedStep {
  readonly step: StepDefinition;
  readonly request: WireRequest;
}

/** null for a step that fills in something. Throws StepFailure for a request that cannot be sent. */
export type FindFixedStep = (step: StepDefinition) => FixedStep | null;

const NO_VALUES: TemplateValues = {
  variables: new Map(),
  secrets: new Map(),
  generated: { uuid: '', now: '', runId: '', region: '' },
};

/** Keeps what it has made for as long as the definition itself is kept. */
export function createFindFixedStep(userAgent: string): FindFixedStep {
  const kept = new WeakMap<StepDefinition, FixedStep | null>();
  return (step) => {
    const known = kept.get(step);
    if (known !== undefined) return known;
    const made = isFixed(step) ? makeFixed(step, userAgent) : null;
    kept.set(step, made);
    return made;
  };
}

function makeFixed(step: StepDefinition, userAgent: string): FixedStep {
  const assertions = renderAssertions(step.assertions, NO_VALUES);
  const request = renderRequest(step, NO_VALUES, { userAgent });
  return { step: { ...step, assertions }, request };
}

/** The boundary of a form of parts is made anew each time; so is a trace. */
function isFixed(step: StepDefinition): boolean {
  const { url, headers, multipart, assertions, sendTraceparent } = step;
  if ((multipart ?? null) !== null || sendTraceparent === true) return false;
  const values = assertions.map(({ value }) => value ?? null);
  const texts = textsIn([url, headers.map(({ value }) => value), filledInOf(step), values]);
  return texts.every((text) => findReferences(text).length === 0);
}
