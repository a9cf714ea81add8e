/**
 * Texts of the scenario and step options, by the names of the fields in the API's schema. To add an option to the form,
 * add its texts here.
 */
import type { scenarioOptionFields, stepFields } from '../../../../schemas/scenario';
import type { OptionTexts } from '../../../shared/definition/options';
import { REQUEST_OPTION_TEXTS } from '../../../shared/definition/request-options';

export const STEP_OPTION_TEXTS: OptionTexts<typeof stepFields> = {
  ...REQUEST_OPTION_TEXTS,
  always: { label: 'Always run, even after a failure (clean-up)' },
  waitSeconds: { label: 'Wait before (seconds)' },
};

export const SCENARIO_OPTION_TEXTS: OptionTexts<typeof scenarioOptionFields> = {
  timeoutSeconds: {
    label: 'Time limit of a run (seconds)',
    description: 'Waiting time is not counted.',
  },
  cookies: {
    label: 'Keep cookies between steps',
    description: 'A run signs in once and stays signed in.',
  },
};
