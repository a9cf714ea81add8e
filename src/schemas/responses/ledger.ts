/** The outcome of every due slot and alert, as /v1 returns it. */
import { z } from 'zod';
import { instant, type ResponseOf } from './parts';

const count = z.int().min(0);

const slots = z
  .strictObject({
    due: count.meta({ description: 'Number of due slots', example: 1440 }),
    made: count.meta({ description: 'The target was measured, whether up or down', example: 1439 }),
    late: count.meta({
      description: 'Checks of monitors that began more than 1 s after their slot',
    }),
    missed: count.meta({ description: 'Slots without a measurement', example: 1 }),
    missedReasons: z.record(z.string(), count).meta({
      description:
        'Reason of a gap, or failure code of a check without an observation → number of slots',
      example: { missed: 1 },
    }),
    unaccounted: count.meta({
      description: 'Due by the schedule, but nothing is stored: in progress, or lost',
    }),
    verified: count.meta({
      description: 'Due slots that were counted from the schedule itself, not from stored results',
      example: 1440,
    }),
  })
  .meta({ id: 'SlotLedger', description: 'due = made + missed + unaccounted' });

const alerts = z
  .strictObject({
    due: count.meta({ description: 'Deliveries: one for each alert and recipient', example: 2 }),
    sent: count.meta({ description: 'Includes alerts that were sent in a digest', example: 2 }),
    pending: count.describe('Not delivered yet'),
    failed: count.describe('Given up'),
    doubled: count.meta({
      description:
        'Sent again for the same incident and kind to the same recipient. Reminders do not count',
    }),
  })
  .meta({ id: 'AlertLedger', description: 'due = sent + pending + failed' });

const entry = {
  slots: slots.describe('Slots of monitors and scenarios'),
  alerts: alerts.describe('Alerts'),
};

export const ledger = z
  .strictObject({
    from: instant.describe('Begin of the window'),
    to: instant.meta({ description: 'At least two minutes before now' }),
    observedFrom: instant.meta({
      description:
        'All numbers are exact from this time on. Results from before slots were counted are not included',
    }),
    total: z.strictObject(entry).describe('The whole window'),
    days: z.array(z.strictObject({ date: z.iso.date().describe('The day'), ...entry })).meta({
      description: 'Days in UTC, oldest first. The first and the last may be partial days',
    }),
  })
  .meta({
    id: 'Ledger',
    description: 'Every slot and every alert that was due, with its outcome',
  });

export type LedgerResponse = ResponseOf<typeof ledger>;
