/** The fields of incidents and their explanations that the command line reads. */
import { z } from 'zod';
import { failureShape } from './shapes';

export const incidentShape = z.looseObject({
  id: z.string(),
  resourceType: z.string(),
  resourceName: z.string().nullish(),
  state: z.string().optional(),
  openedAt: z.string(),
  closedAt: z.string().nullish(),
  cause: failureShape.nullish(),
  regions: z.array(z.string()).optional(),
  acknowledgedBy: z.string().nullish(),
  acknowledgedAt: z.string().nullish(),
  snoozedUntil: z.string().nullish(),
  snoozedBy: z.string().nullish(),
  isFlapping: z.boolean().optional(),
  flappingSince: z.string().nullish(),
  durationSeconds: z.number().optional(),
  episodeCount: z.number().optional(),
  timeline: z
    .array(z.looseObject({ at: z.string(), text: z.string(), channelName: z.string().nullish() }))
    .optional(),
});

export const explanationShape = z.looseObject({
  incidentId: z.string(),
  notified: z.boolean(),
  sentences: z.array(z.looseObject({ at: z.string(), text: z.string() })),
});

export type Incident = z.output<typeof incidentShape>;
export type IncidentExplanation = z.output<typeof explanationShape>;
