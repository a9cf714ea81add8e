/** Describes scenarios to the shared definition form. Pure. */
import { leaveVariablesOpen } from '../../../../schemas/environments/open-references';
import { validate } from '../../../../schemas/issues';
import { scenarioBody } from '../../../../schemas/scenario';
import type { DefinitionKind } from '../../../shared/definition/definition-kind';
import { maskedRows, unmaskedRows } from '../../../shared/form/headers/secret-header';
import { type Draft, toDraft } from './draft';
import { toBody } from './draft-body';
import { findProblems, withoutEmpty } from './validation';

export const SCENARIO: DefinitionKind<Draft> = {
  title: 'Scenario',
  path: '/v1/scenarios',
  page: '/scenarios',
  reads: ['/v1/scenarios', '/v1/overview', '/v1/checks'],
  createWord: 'Create scenario',
  created: 'Scenario created. First run is starting.',
  toDraft,
  toBody,
  findProblems,
  whileTyping: withoutEmpty,
  readTyped(typed) {
    const checked = validate(leaveVariablesOpen(scenarioBody), typed);
    return checked.ok
      ? { ok: true, draft: toDraft(typed) }
      : { ok: false, problems: checked.problems };
  },
  mask: (draft) => ({
    ...draft,
    steps: draft.steps.map((step) => ({ ...step, headers: maskedRows(step.headers) })),
  }),
  unmask(typed, shown) {
    const steps = typed.steps.map((step, index) => {
      const before = shown.steps.find(({ name }) => name === step.name) ?? shown.steps[index];
      return { ...step, headers: unmaskedRows(step.headers, before?.headers ?? []) };
    });
    return { ...typed, steps };
  },
};
