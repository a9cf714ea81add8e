/** Tools that change nothing. /v1 validates their arguments. */
import { z } from 'zod';
import { applyBody } from '../schemas/apply';
import type { AskV1 } from './ask-v1';
import { defineTool } from './tool';

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 20;
const POLICIES_MAX = 20;

const id = (words: string) => z.string().min(1).max(100).meta({ description: words });
const word = (words: string) => z.string().min(1).max(300).optional().meta({ description: words });
const limit = z
  .int()
  .min(1)
  .max(LIMIT_MAX)
  .default(LIMIT_DEFAULT)
  .meta({ description: 'Maximum number of items' });
const cursor = word('`nextCursor` of the previous page');
const incidentId = id('Id of an incident, like inc_…');

/** The body of `apply` without `dryRun` and `planHash`. */
export const definitionSet = applyBody.shape.omit({ dryRun: true, planHash: true });

const pageShape = z.looseObject({
  data: z.array(z.looseObject({})),
  nextCursor: z.string().nullish(),
});
/** Maximum number of pages that are read. This is enough for all objects of an account. */
const PAGES_MAX = 20;

export const readTools = [
  defineTool({
    name: 'whats_wrong',
    title: "What's wrong",
    description:
      'Start here. What needs attention now: open incidents, checks that are down, degraded or unknown, channels that cannot be reached, and regions without a probe.',
    input: z.strictObject({}),
    carryOut: async (ask) => {
      const [incidents, checks, channels, regions] = await Promise.all([
        ask({ method: 'GET', path: 'v1/incidents', query: { state: 'unresolved', limit: '50' } }),
        ask({
          method: 'GET',
          path: 'v1/checks',
          query: { status: 'down,degraded,unknown', limit: '50' },
        }),
        listAll(ask, 'v1/alert-channels'),
        listAll(ask, 'v1/regions'),
      ]);
      return {
        incidents,
        checks,
        failingChannels: channels.filter(
          ({ failing }) => failing !== null && failing !== undefined,
        ),
        regionsOffline: regions.filter(({ status }) => status === 'offline'),
      };
    },
  }),
  defineTool({
    name: 'get_incident',
    title: 'Read an incident',
    description: 'One incident: cause, regions, timeline, notes and the alerts that were sent.',
    input: z.strictObject({ incidentId }),
    carryOut: (ask, input) =>
      ask({ method: 'GET', path: `v1/incidents/${encodeSegment(input.incidentId)}` }),
  }),
  defineTool({
    name: 'explain_incident',
    title: 'Explain an incident',
    description: 'Why people were notified of an incident, or were not: sentences with times.',
    input: z.strictObject({ incidentId }),
    carryOut: (ask, input) =>
      ask({ method: 'GET', path: `v1/incidents/${encodeSegment(input.incidentId)}/explain` }),
  }),
  defineTool({
    name: 'get_run',
    title: 'Read a run',
    description: 'One run of a scenario with each step: request, response, assertions, failure.',
    input: z.strictObject({
      scenarioId: id('Id of a scenario, like scn_…'),
      runId: id('Id of its run, like run_…'),
      waitSeconds: z.int().min(0).max(30).default(0).meta({
        description: 'Seconds to wait for the end of the run',
      }),
    }),
    carryOut: (ask, input) =>
      ask({
        method: 'GET',
        path: `v1/scenarios/${encodeSegment(input.scenarioId)}/results/${encodeSegment(input.runId)}`,
        query: { wait: `${input.waitSeconds}` },
      }),
  }),
  defineTool({
    name: 'list_checks',
    title: 'List checks',
    description: 'Monitors and scenarios with their status; the worst come first.',
    input: z.strictObject({
      q: word('Part of a name, URL or tag'),
      type: z.enum(['monitor', 'scenario']).optional(),
      status: word('One or more of up, degraded, down, maintenance, paused, pending, unknown'),
      tag: word('A tag'),
      group: word('A group, including its subgroups'),
      region: word('A region'),
      limit,
      cursor,
    }),
    carryOut: (ask, { limit: count, ...query }) =>
      ask({ method: 'GET', path: 'v1/checks', query: { ...query, limit: `${count}` } }),
  }),
  defineTool({
    name: 'get_history',
    title: 'Read results',
    description: 'Results of a check, newest first: results of a monitor, or runs of a scenario.',
    input: z.strictObject({
      checkId: id('Id of a monitor (mon_…) or a scenario (scn_…)'),
      from: word('RFC 3339 time'),
      to: word('RFC 3339 time'),
      status: word('A status of results, or of runs'),
      region: word('A region'),
      limit,
      cursor,
    }),
    carryOut: (ask, { checkId, limit: count, ...query }) => {
      const kind = checkId.startsWith('scn_') ? 'scenarios' : 'monitors';
      const path = `v1/${kind}/${encodeSegment(checkId)}/results`;
      return ask({ method: 'GET', path, query: { ...query, limit: `${count}` } });
    },
  }),
  defineTool({
    name: 'on_call_now',
    title: 'Who is on call',
    description:
      'Who would be notified, and when, if something failed now: for one check, or for each alert policy.',
    input: z.strictObject({
      checkId: id('Id of a monitor or a scenario').optional(),
    }),
    carryOut: async (ask, { checkId }) => {
      const at = new Date().toISOString();
      if (checkId !== undefined) {
        const body = { resourceId: checkId, at };
        return ask({ method: 'POST', path: 'v1/alert-routes/simulate', body });
      }
      const all = await listAll(ask, 'v1/alert-policies');
      const policies = all.slice(0, POLICIES_MAX);
      const each = policies.map(async ({ id: policyId, key, name }) => {
        const path = `v1/alert-policies/${encodeSegment(String(policyId))}/simulate`;
        return { key, name, plan: await ask({ method: 'POST', path, body: { at } }) };
      });
      const left = all.length - policies.length;
      return { at, policies: await Promise.all(each), ...(left > 0 && { policiesLeftOut: left }) };
    },
  }),
  defineTool({
    name: 'test_definition',
    title: 'Try a definition',
    description:
      'Checks an unsaved monitor, or runs an unsaved scenario, once from one region. Nothing is saved, but the target gets the requests. Needs a key with the scope write.',
    input: z.strictObject({
      type: z.enum(['monitor', 'scenario']),
      definition: z.looseObject({}).meta({
        description: 'A body as in POST /v1/monitors or POST /v1/scenarios',
      }),
      region: word('Region to check from. Default: the first region with a running probe'),
    }),
    carryOut: async (ask, { type, definition, region }) => {
      const from = region ?? (await findRegion(ask));
      const body = { ...definition, ...(from !== undefined && { region: from }) };
      return ask({ method: 'POST', path: `v1/${type}s/test`, body });
    },
  }),
  defineTool({
    name: 'plan_set',
    title: 'Plan changes',
    description:
      'What apply_plan would create, change and delete, field by field, and the planHash that it needs. Show the plan to a person before you apply it. Changes nothing. Needs a key with the scope write.',
    input: definitionSet,
    carryOut: (ask, set) =>
      ask({ method: 'POST', path: 'v1/apply', body: { ...set, dryRun: true } }),
  }),
] as const;

/**
 * Returns the first region with a running probe. If there is none, returns the first region. undefined means that there
 * are no regions; /v1 then reports an error.
 */
async function findRegion(ask: AskV1): Promise<string | undefined> {
  const regions = await listAll(ask, 'v1/regions');
  const online = regions.find(({ status }) => status === 'online') ?? regions[0];
  return online === undefined ? undefined : String(online['id']);
}

async function listAll(ask: AskV1, path: string): Promise<readonly Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  let query: Record<string, string> | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { data, nextCursor } = pageShape.parse(
      await ask({ method: 'GET', path, ...(query && { query }) }),
    );
    all.push(...data);
    if (nextCursor == null) break;
    query = { cursor: nextCursor };
  }
  return all;
}

/** Encodes a segment of a path. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text);
}
