/**
 * Resolves the dependencies in a set. Objects can name each other by key in any order, because the lookup also finds
 * objects that apply will create.
 */
import type { DependencyNode } from '../../domain/definitions/dependencies';
import { readList } from '../../schemas/loose';
import type { Entry } from '../objects/object-type';
import type { Dependencies } from '../ports/dependencies';
import { type ApplyWork, findMatch } from './apply-list';
import type { ApplyNeeds } from './apply-needs';

/** Adds the stored nodes. Leaves out nodes that the set itself contains. */
export async function loadNodes({ nodes, stored }: ApplyNeeds, accountId: string): Promise<void> {
  for (const node of await stored.nodes(accountId))
    if (!nodes.has(node.id)) nodes.set(node.id, node);
}

/** Returns the key under which a planned object is in `plannedResources`. */
export function buildPlannedName(kind: DependencyNode['kind'], { key }: Entry): string {
  return `${kind} ${String(key)}`;
}

/** Gives ids to new objects, and records the dependencies in the set. */
export function planDependencies(
  needs: Pick<Dependencies, 'newId'>,
  { nodes, plannedResources, statedIds }: ApplyNeeds,
  work: readonly ApplyWork[],
): void {
  const planned: { readonly node: DependencyNode; readonly references: readonly unknown[] }[] = [];
  for (const {
    kind: { list },
    entries,
    existing,
  } of work) {
    if (list !== 'monitors' && list !== 'scenarios') continue;
    const kind = list === 'monitors' ? 'monitor' : 'scenario';
    for (const entry of entries) {
      const match = findMatch(entry, existing);
      const { key, name, dependsOn } = entry;
      if (match !== null) statedIds.add(match.id);
      if (match === null && typeof key !== 'string') continue;
      const id =
        match?.id ?? plannedResources.get(buildPlannedName(kind, entry)) ?? needs.newId(kind);
      if (match === null) plannedResources.set(buildPlannedName(kind, entry), id);
      const shown = typeof name === 'string' ? name : (match?.name ?? id);
      const known = typeof key === 'string' ? key : (match?.key ?? null);
      const node = { kind, id, key: known, name: shown, dependsOn: [] } as const;
      nodes.set(id, node);
      planned.push({ node, references: readList(dependsOn) });
    }
  }
  const idsByKey = listIds(nodes);
  for (const { node, references } of planned) {
    const dependsOn = references.flatMap((reference) => {
      const id = String(reference);
      return nodes.has(id) ? [id] : (idsByKey.get(id) ?? []);
    });
    nodes.set(node.id, { ...node, dependsOn });
  }
}

interface Replanned {
  readonly kind: DependencyNode['kind'];
  readonly entry: Entry;
  /** The id of the object in the database. undefined if the object is not stored yet. */
  readonly storedId: string | undefined;
}

/**
 * Corrects the planned id of an object. If another request has already created the object, uses the id of that object.
 * If the planned id can no longer be used, creates a new id.
 */
export function replan(
  needs: Pick<Dependencies, 'newId'>,
  { nodes, plannedResources, usedUpIds, renewedKeys }: ApplyNeeds,
  { kind, entry, storedId }: Replanned,
): void {
  const name = buildPlannedName(kind, entry);
  const planned = plannedResources.get(name);
  if (planned === undefined || planned === storedId) return;
  if (storedId === undefined && !usedUpIds.has(planned)) return;
  const id = storedId ?? needs.newId(kind);
  plannedResources.set(name, id);
  renewedKeys.add(String(entry['key']));
  const node = nodes.get(planned);
  nodes.delete(planned);
  if (node !== undefined) nodes.set(id, { ...node, id });
  for (const other of nodes.values())
    if (other.dependsOn.includes(planned))
      nodes.set(other.id, {
        ...other,
        dependsOn: other.dependsOn.map((one) => (one === planned ? id : one)),
      });
}

/**
 * Returns the dependencies as files contain them. A dependency is named by its key if the key is unique. Deleted
 * objects are left out.
 */
export function listDependenciesByKey(
  ids: readonly unknown[],
  nodes: ReadonlyMap<string, DependencyNode>,
): readonly string[] {
  if (ids.length === 0) return [];
  const idsByKey = listIds(nodes);
  return ids.flatMap((id) => {
    const node = nodes.get(String(id));
    if (node === undefined) return [];
    const { key } = node;
    return [key !== null && idsByKey.get(key)?.length === 1 ? key : node.id];
  });
}

function listIds(
  nodes: ReadonlyMap<string, DependencyNode>,
): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const { id, key } of nodes.values()) {
    if (key === null) continue;
    const known = ids.get(key);
    if (known === undefined) ids.set(key, [id]);
    else known.push(id);
  }
  return ids;
}
