/** The service hours of monitors and scenarios (docs/maintenance.md). */
import { z } from 'zod';
import { OUTSIDE_MODES } from '../../contracts/maintenance';

/** An empty text counts as absent, because forms send empty texts. */
export const hoursFields = {
  hours: z
    .string()
    .trim()
    .max(100)
    .nullable()
    .meta({ description: 'Key or id of its hours' })
    .transform((text) => (text === '' ? null : text))
    .default(null),
  outside: z
    .enum(OUTSIDE_MODES)
    .meta({
      description:
        'Outside of them — quiet: checks go on, nobody is notified; rest: nothing is checked',
    })
    .default('quiet'),
};
