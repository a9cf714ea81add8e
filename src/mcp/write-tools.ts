/**
 * Tools that change data. Each call can be repeated safely. /v1 stores the response to each `requestId` for 24 hours
 * and returns it for a repeated call. After a plan was applied, its hash no longer matches, so /v1 refuses to apply it
 * again.
 */
import { z } from 'zod';
import { maintenanceNowBody } from '../schemas/maintenance';
import { definitionSet, encodeSegment } from './read-tools';
import { defineTool } from './tool';

const requestId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,200}$/, 'must have 1 to 200 letters, digits or . _ : -')
  .meta({
    description:
      'Choose a new one for each action. Repeating a call with the same requestId changes nothing and returns the same response.',
  });

const incidentId = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Id of an incident, like inc_…' });

export const writeTools = [
  defineTool({
    name: 'apply_plan',
    title: 'Apply a plan',
    effect: 'destructive',
    description:
      'Executes a plan of plan_set: takes the same arguments and its planHash. Refused if anything has changed since, or if the plan was applied already. Needs a key with the scope write.',
    input: definitionSet.extend({
      planHash: z
        .string()
        .min(1)
        .max(200)
        .meta({ description: 'The planHash that plan_set returned' }),
    }),
    carryOut: (ask, set) => ask({ method: 'POST', path: 'v1/apply', body: set }),
  }),
  defineTool({
    name: 'run_scenario',
    title: 'Run a scenario',
    effect: 'write',
    description:
      'Runs a saved scenario now; it sends its requests to the target. Needs a key with the scope run.',
    input: z.strictObject({
      requestId,
      scenarioId: z.string().min(1).max(100).meta({ description: 'Id of a scenario, like scn_…' }),
      variables: z.record(z.string(), z.json()).default({}).meta({
        description: 'Values for this run',
      }),
      regions: z.array(z.string()).min(1).optional(),
      label: z.string().min(1).optional().meta({ description: 'Shown with the run' }),
      environment: z.string().min(1).optional().meta({
        description: 'Key of an environment, instead of the one of the scenario',
      }),
      waitSeconds: z.int().min(0).max(60).default(0).meta({
        description: 'Seconds to wait for its end. get_run returns the run later',
      }),
    }),
    carryOut: (ask, { requestId: key, scenarioId, waitSeconds, ...body }) =>
      ask({
        method: 'POST',
        path: `v1/scenarios/${encodeSegment(scenarioId)}/run`,
        query: { wait: `${waitSeconds}` },
        body,
        idempotencyKey: buildKey('run', key),
      }),
  }),
  defineTool({
    name: 'acknowledge',
    title: 'Acknowledge an incident',
    effect: 'write',
    description:
      'Records that someone is working on an incident: its alerts stop until the check recovers. Ask a person first. Needs a key with the scope write.',
    input: z.strictObject({
      requestId,
      incidentId,
      note: z.string().optional().meta({ description: 'What the person is doing' }),
    }),
    carryOut: (ask, { requestId: key, incidentId: incident, ...body }) =>
      ask({
        method: 'POST',
        path: `v1/incidents/${encodeSegment(incident)}/acknowledge`,
        body,
        idempotencyKey: buildKey('acknowledge', key),
      }),
  }),
  defineTool({
    name: 'start_maintenance',
    title: 'Start maintenance',
    effect: 'write',
    description:
      'Starts maintenance now, for a number of minutes: no alerts (mute) or no checks (pause). Needs a key with the scope write.',
    input: maintenanceNowBody.extend({ requestId }),
    carryOut: (ask, { requestId: key, ...body }) =>
      ask({
        method: 'POST',
        path: 'v1/maintenance-windows/now',
        body,
        idempotencyKey: buildKey('maintenance', key),
      }),
  }),
  defineTool({
    name: 'add_note',
    title: 'Add a note',
    effect: 'write',
    description: 'Adds a note to an incident. Needs a key with the scope write.',
    input: z.strictObject({ requestId, incidentId, text: z.string().min(1) }),
    carryOut: (ask, { requestId: key, incidentId: incident, ...body }) =>
      ask({
        method: 'POST',
        path: `v1/incidents/${encodeSegment(incident)}/notes`,
        body,
        idempotencyKey: buildKey('note', key),
      }),
  }),
] as const;

function buildKey(action: string, requestId: string): string {
  return `mcp-${action}-${requestId}`;
}
