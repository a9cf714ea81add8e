/** The service hours of monitors and scenarios (docs/maintenance.md). */
import { z } from 'zod';
import { OUTSIDE_MODES } from '../../contracts/maintenance';

/** The fields. An empty string counts as absent, because forms send empty strings. */
export const hoursFields = {
  hours: z
    .string()
    .trim()
    .max(100)
    .nullable()
    .meta({ description: 'Key or id of the hours of the check' })
    .transform((text) => (text === '' ? null : text))
    .default(null),
  outside: z
    .enum(OUTSIDE_MODES)
    .meta({
      description:
        'What happens outside of the hours. quiet: checks continue, but no one is notified; rest: nothing is checked',
    })
    .default('quiet'),
};
