/** From the body of a monitor to its row: what needs regions, targets and the clock is settled here. */
import type { StepDefinition } from '../../contracts/definition';
import type { Monitor } from '../../models/resources/monitors';
import type { FieldProblem } from '../../platform/errors';
import type { SentVariable } from '../../schemas/fields';
import type { MonitorBody } from '../../schemas/monitor';
import { requestOptionsOf } from '../../schemas/request-options';
import { refuseProblems } from '../lists/field-problems';
import type { Dependencies } from '../ports/dependencies';
import {
  type ResolvedRegions,
  resolveRegions,
  unknownRegionProblems,
} from '../regions/resolve-regions';
import { findMaskedHeaders } from '../resources/keep-headers';
import type { Owner } from '../resources/kind';
import { resolveAlerts } from '../resources/resolve-alerts';
import { findBlockedTargets, groupKeyFor, searchTextOf } from '../resources/target';

/** The part of a row that people define. */
export type MonitorFields = Pick<
  Monitor,
  | 'name'
  | 'intervalSeconds'
  | 'regions'
  | 'group'
  | 'groupKey'
  | 'tags'
  | 'key'
  | 'alerts'
  | 'alertTargets'
  | 'searchText'
  | 'step'
  | 'quorum'
  | 'failuresBeforeDown'
  | 'successesBeforeUp'
> & {
  readonly variables: readonly SentVariable[];
};

type Needs = Pick<
  Dependencies,
  'stores' | 'clock' | 'configuredRegions' | 'findBlockedTarget' | 'sealers'
>;

/**
 * Throws one refusal with all unknown regions and refused targets; what the body leaves as it is
 * stored is never refused.
 */
export async function composeMonitorFields(
  needs: Needs,
  { accountId, stored }: Owner<Monitor>,
  body: MonitorBody,
): Promise<MonitorFields> {
  const { name, interval, group, url, variables, tags, key, quorum } = body;
  const regions = await resolveRegions(needs, body.regions);
  refuseProblems([
    ...unknownRegionProblems(regions, stored?.regions),
    ...findBlockedTargets(needs, {
      targets: [{ path: 'url', url }],
      variables,
      stored: stored && { urls: [stored.step.url], variables: stored.variables },
    }),
    ...findMaskedHeaders(stored, { step: body }),
    ...quorumProblems(body, regions),
  ]);
  return {
    name,
    intervalSeconds: interval,
    regions: regions.names,
    group,
    groupKey: groupKeyFor(group, url, variables),
    tags: [...new Set(tags)],
    key,
    ...(await resolveAlerts(needs, { accountId, stored }, body.alerts)),
    searchText: searchTextOf({ name, key, urls: [url], variables }),
    variables,
    step: stepOf(body),
    quorum,
    failuresBeforeDown: body.failuresBeforeDown,
    successesBeforeUp: body.successesBeforeUp,
  };
}

/** The shape has held the quorum against the regions that are named; here are those by default. */
function quorumProblems(
  { regions, quorum }: MonitorBody,
  { names }: ResolvedRegions,
): readonly FieldProblem[] {
  const isFine = regions !== null || quorum === 'majority' || quorum <= names.length;
  if (isFine) return [];
  const message = `must not exceed the number of regions, which is ${names.length} by default`;
  return [{ path: 'quorum', code: 'out_of_bounds', message }];
}

function stepOf(body: MonitorBody): StepDefinition {
  const { name, method, url, headers, form, multipart, graphql, assertions } = body;
  return {
    name,
    method,
    url,
    headers,
    body: body.body,
    form,
    multipart,
    graphql,
    assertions,
    extract: [],
    ...requestOptionsOf(body),
    degradedAboveMs: body.degradedAboveMs,
    tlsWarnDays: body.tls.warnDays,
    cookies: 'keep',
    always: false,
  };
}
