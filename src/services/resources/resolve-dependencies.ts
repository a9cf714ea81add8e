/** Resolves the `dependsOn` of a body to ids. In responses, only ids that still exist are shown. */
import { type DependencyNode, resolveDependencies } from '../../domain/definitions/dependencies';
import type { Resource } from '../../models/resources/resource';
import { isSameJson } from '../../platform/canonical-json';
import { refuseProblems } from '../lists/field-problems';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores'>;

/** The resource that has the dependencies, and its stored version. null for a new one. */
export interface Dependent {
  readonly accountId: string;
  readonly id: string;
  readonly stored: Pick<Resource, 'dependsOn'> | null;
}

/**
 * Resolves the dependencies. If a client sends the list of a response back unchanged, the stored list stays, including
 * deleted ids. Throws `dependency_cycle`. Throws `validation_failed` for all other problems.
 */
export async function readDependencies(
  { stores }: Needs,
  { accountId, id, stored }: Dependent,
  { name, dependsOn: references }: { readonly name: string; readonly dependsOn: readonly string[] },
): Promise<Pick<Resource, 'dependsOn'>> {
  const before = stored?.dependsOn ?? [];
  if (references.length === 0 && before.length === 0) return { dependsOn: [] };
  const nodes = await stores.dependencies.nodes(accountId);
  if (isSameJson(references, liveDependencies(before, nodes))) return { dependsOn: before };
  const { ids, problems } = resolveDependencies({ id, name }, references, nodes);
  refuseProblems(
    problems.map(({ index, ...problem }) => ({
      ...problem,
      path: index === null ? 'dependsOn' : `dependsOn[${index}]`,
    })),
  );
  return { dependsOn: ids };
}

/** Removes deleted dependencies from a response. */
export async function withoutGoneDependencies<Entity extends Pick<Resource, 'dependsOn'>>(
  { stores }: Needs,
  accountId: string,
  resources: readonly Entity[],
): Promise<readonly Entity[]> {
  const ids = [...new Set(resources.flatMap(({ dependsOn }) => dependsOn))];
  if (ids.length === 0) return resources;
  const nodes = await stores.dependencies.nodes(accountId, ids);
  return resources.map((resource) => ({
    ...resource,
    dependsOn: liveDependencies(resource.dependsOn, nodes),
  }));
}

function liveDependencies(
  ids: readonly string[],
  nodes: readonly Pick<DependencyNode, 'id'>[],
): readonly string[] {
  const known = new Set(nodes.map(({ id }) => id));
  return ids.filter((id) => known.has(id));
}
