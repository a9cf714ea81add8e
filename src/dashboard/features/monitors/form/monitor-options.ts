/**
 * Texts of the monitor options, by the names of the fields in the API's schema. To add an option to the form, add its
 * texts here.
 */
import type { monitorOptionFields } from '../../../../kinds/http/shape';
import type { OptionTexts } from '../../../shared/definition/options';
import { REQUEST_OPTION_TEXTS } from '../../../shared/definition/request-options';

export const MONITOR_OPTION_TEXTS: OptionTexts<typeof monitorOptionFields> = {
  ...REQUEST_OPTION_TEXTS,
  failuresBeforeDown: {
    label: 'Failures before down',
    description: 'Failed checks in a row.',
  },
  successesBeforeUp: {
    label: 'Successes before up',
    description: 'Passed checks in a row.',
  },
};
