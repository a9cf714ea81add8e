/** The outcome of every due slot and alert, as /v1 returns it. */
import { z } from 'zod';
import { instant, type ResponseOf } from './parts';

const count = z.int().min(0);

const slots = z
  .strictObject({
    due: count,
    made: count.meta({ description: 'The target was seen, be it up or down' }),
    late: count.meta({
      description: 'Of those made by monitors: begun more than 1 s after their slot',
    }),
    missed: count,
    missedReasons: z.record(z.string(), count).meta({
      description: 'Reason of a gap, or failure code of a check that saw nothing → slots',
    }),
    unaccounted: count.meta({
      description: 'Due by the schedule, and nothing is stored of them: under way, or lost',
    }),
    verified: count.meta({
      description: 'Of those due: counted by the schedule itself, not by what is stored',
    }),
  })
  .meta({ id: 'SlotLedger', description: 'due = made + missed + unaccounted' });

const alerts = z
  .strictObject({
    due: count.meta({ description: 'Deliveries: one for each alert and recipient' }),
    sent: count.meta({ description: 'In a digest, too' }),
    pending: count,
    failed: count,
    doubled: count.meta({
      description: 'Sent again: same incident, kind and recipient; reminders are no second alert',
    }),
  })
  .meta({ id: 'AlertLedger', description: 'due = sent + pending + failed' });

const entry = { slots, alerts };

export const ledger = z
  .strictObject({
    from: instant,
    to: instant.meta({ description: 'At most two minutes before now' }),
    observedFrom: instant.meta({
      description:
        'What is counted from here on is held exactly; of earlier time, only what is left',
    }),
    total: z.strictObject(entry),
    days: z
      .array(z.strictObject({ date: z.iso.date(), ...entry }))
      .meta({ description: 'By UTC, oldest first; the first and last may be parts of a day' }),
  })
  .meta({
    id: 'Ledger',
    description: 'Every slot and every alert that was due, and what became of it',
  });

export type LedgerResponse = ResponseOf<typeof ledger>;
