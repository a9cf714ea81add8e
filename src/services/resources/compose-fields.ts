/**
 * Converts the body of a monitor, heartbeat or scenario to the stored fields that all three have. Checks regions,
 * targets, channels and masked headers, and reports all problems at once.
 */
import type { Guidance } from '../../contracts/definition';
import type { OutsideMode } from '../../contracts/maintenance';
import { listEffectiveVariables } from '../../domain/definitions/inherit';
import type { Resource } from '../../models/resources/resource';
import type { FieldProblem } from '../../platform/errors';
import type { Alerts } from '../../schemas/alerts';
import type { WithReferences } from '../../schemas/environments/open-references';
import type { SentVariable } from '../../schemas/fields';
import { refuseProblems } from '../lists/field-problems';
import type { Dependencies } from '../ports/dependencies';
import { findUnknownRegions, type ResolvedRegions, resolveRegions } from '../regions/regions';
import type { Owner } from './kind';
import { type Completion, complete } from './layers';
import { resolveAlerts } from './resolve-alerts';
import { readDependencies } from './resolve-dependencies';
import { resolveHours } from './resolve-hours';
import { findMaskedHeaders, type Stepped } from './restore-headers';
import { buildSearchText, findBlockedTargets, groupKeyFor, type Variables } from './target';

export type ComposeNeeds = Pick<
  Dependencies,
  'stores' | 'clock' | 'configuredRegions' | 'findBlockedTarget' | 'proxyNames' | 'sealers'
>;

/** Fields that the bodies of all types have. */
interface NamedBody extends Guidance {
  readonly name: string;
  readonly alerts: Alerts;
  readonly dependsOn: readonly string[];
  readonly hours: string | null;
  readonly outside: OutsideMode;
  readonly group: string | null;
  readonly tags: readonly string[];
  readonly key: string | null;
}

/** Fields of the body that every resource stores. */
type NamedFields = Pick<
  Resource,
  | 'name'
  | 'group'
  | 'groupKey'
  | 'tags'
  | 'key'
  | 'alerts'
  | 'alertTargets'
  | 'dependsOn'
  | 'hours'
  | 'outside'
  | keyof Guidance
  | 'searchText'
>;

interface Addressed {
  /** The URLs of the requests, in order. */
  readonly urls: readonly string[];
  readonly variables: Variables;
  /** The default group key. If absent, the domain of the first URL is used. */
  readonly groupKey?: string;
}

export async function composeNamed(
  needs: ComposeNeeds,
  { accountId, id, stored }: Owner<Resource>,
  { body, addressed }: { readonly body: NamedBody; readonly addressed: Addressed },
): Promise<NamedFields> {
  const { name, alerts, outside, runbookUrl, note, group, tags, key } = body;
  const { urls, variables } = addressed;
  const [first = ''] = urls;
  const isNamedByKind = group === null && addressed.groupKey !== undefined;
  return {
    name,
    group,
    groupKey: isNamedByKind ? addressed.groupKey : groupKeyFor(group, first, variables),
    tags: [...new Set(tags)],
    key,
    ...(await resolveAlerts(needs, { accountId, stored }, alerts)),
    ...(await readDependencies(needs, { accountId, id, stored }, body)),
    hours: await resolveHours(needs, { accountId, stored }, body.hours),
    outside,
    runbookUrl,
    note,
    searchText: buildSearchText({ name, key, urls, variables }),
  };
}

interface ScheduledBody extends NamedBody, WithReferences {
  readonly interval: number;
  readonly regions: readonly string[] | null;
  readonly variables: readonly SentVariable[];
  readonly environment: string | null;
}

/** The requests that a body defines, and the stored requests. */
export interface Requests {
  /** The URLs of the requests, in order, each with its path in the body. */
  readonly targets: readonly { readonly path: string; readonly url: string }[];
  /** The URLs by which the resource is shown, searched and grouped. If absent, the URLs of `targets` are used. */
  readonly urls?: readonly string[];
  /** The stored URLs. null for a new resource. */
  readonly storedUrls: readonly string[] | null;
  readonly sent: Stepped;
  readonly findProblems?: (regions: ResolvedRegions) => readonly FieldProblem[];
}

export type ScheduledFields = NamedFields &
  Completion &
  Pick<Resource, 'intervalSeconds' | 'regions'> & { readonly variables: readonly SentVariable[] };

/**
 * Returns the fields. Throws one error that lists all unknown regions and variables, blocked targets and masked
 * headers. Values that are already stored are never refused.
 */
export async function composeScheduled<Entity extends Resource & Stepped>(
  needs: ComposeNeeds,
  owner: Owner<Entity>,
  { body, requests }: { readonly body: ScheduledBody; readonly requests: Requests },
): Promise<ScheduledFields> {
  const { targets, storedUrls, sent, findProblems } = requests;
  const { stored, accountId } = owner;
  const { environment, references } = body;
  const regions = await resolveRegions(needs, body.regions);
  const completed = await complete(needs, { accountId, environment, references, stored });
  const { completion, problems } = completed;
  const variables = listEffectiveVariables({ ...body, ...completion });
  const before = storedUrls && {
    urls: storedUrls,
    variables: stored === null ? [] : listEffectiveVariables(stored),
  };
  refuseProblems([
    ...findUnknownRegions(regions, stored?.regions),
    ...problems,
    ...findBlockedTargets(needs, { targets, variables, stored: before }),
    ...findMaskedHeaders(stored, sent),
    ...(findProblems?.(regions) ?? []),
  ]);
  const urls = requests.urls ?? targets.map(({ url }) => url);
  return {
    ...(await composeNamed(needs, owner, { body, addressed: { urls, variables } })),
    intervalSeconds: body.interval,
    regions: regions.names,
    variables: body.variables,
    ...completion,
  };
}
