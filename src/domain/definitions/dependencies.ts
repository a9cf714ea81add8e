/** Resolves the dependencies of monitors and scenarios, and finds cycles and chains that are too long. Pure. */
import type { ResourceKind } from '../../contracts/definition';

/** A monitor or scenario with its dependencies. */
export interface DependencyNode {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly key: string | null;
  readonly name: string;
  /** The ids of the dependencies. Some may belong to deleted resources. */
  readonly dependsOn: readonly string[];
}

/** Maximum length of a chain of dependencies. */
const DEPENDENCY_DEPTH_MAX = 5;

interface DependencyProblem {
  /** The index of the reference in its list. null means that the problem concerns the whole list. */
  readonly index: number | null;
  readonly code: 'invalid_value' | 'dependency_cycle' | 'out_of_bounds';
  readonly message: string;
}

interface ResolvedDependencies {
  /** The resolved ids, each once, in the order of the references. */
  readonly ids: readonly string[];
  readonly problems: readonly DependencyProblem[];
}

interface Dependent {
  readonly id: string;
  readonly name: string;
}

/**
 * Resolves the references of one resource to ids. `nodes` contains all monitors and scenarios. The stored dependencies
 * of this resource are ignored, because they are being replaced.
 */
export function resolveDependencies(
  { id, name }: Dependent,
  references: readonly string[],
  nodes: readonly DependencyNode[],
): ResolvedDependencies {
  const problems: DependencyProblem[] = [];
  const graph = new Map(nodes.map((node) => [node.id, node]));
  const ids = references.flatMap((reference, index) => {
    const found = findNodes(reference, graph);
    const [node] = found;
    if (node !== undefined && found.length === 1) return [node.id];
    const message =
      found.length === 0
        ? 'is not a monitor or scenario of this account'
        : 'is the key of both a monitor and a scenario; use the id instead';
    problems.push({ index, code: 'invalid_value', message });
    return [];
  });
  const unique = [...new Set(ids)];
  const parents = (of: string): readonly string[] =>
    (of === id ? unique : (graph.get(of)?.dependsOn ?? [])).filter((known) => graph.has(known));
  const cycle = findCycle(id, parents);
  if (cycle !== null) {
    const names = cycle.map((member) =>
      member === id ? name : (graph.get(member)?.name ?? member),
    );
    const message = `creates a cycle: ${names.map((each) => `“${each}”`).join(' → ')}`;
    return {
      ids: unique,
      problems: [...problems, { index: null, code: 'dependency_cycle', message }],
    };
  }
  const depth =
    measureHeight(id, parents) + measureHeight(id, dependentsIn([...graph.keys(), id], parents));
  if (depth <= DEPENDENCY_DEPTH_MAX) return { ids: unique, problems };
  const message = `creates a chain of ${depth} dependencies; the maximum is ${DEPENDENCY_DEPTH_MAX}`;
  return { ids: unique, problems: [...problems, { index: null, code: 'out_of_bounds', message }] };
}

/** Finds the nodes that a reference names. An id takes precedence over a key with the same text. */
function findNodes(
  reference: string,
  graph: ReadonlyMap<string, DependencyNode>,
): readonly DependencyNode[] {
  const byId = graph.get(reference);
  if (byId !== undefined) return [byId];
  return [...graph.values()].filter(({ key }) => key === reference);
}

type Neighbours = (id: string) => readonly string[];

/** Returns the path from the id back to itself. null if there is no cycle. */
function findCycle(id: string, parents: Neighbours): readonly string[] | null {
  const seen = new Set<string>();
  const walk = (at: string, way: readonly string[]): readonly string[] | null => {
    for (const parent of parents(at)) {
      if (parent === id) return [...way, id];
      if (seen.has(parent)) continue;
      seen.add(parent);
      const cycle = walk(parent, [...way, parent]);
      if (cycle !== null) return cycle;
    }
    return null;
  };
  return walk(id, [id]);
}

/**
 * Returns the number of steps to the farthest neighbour. Stops counting at a limit, because there may be a cycle
 * elsewhere.
 */
function measureHeight(id: string, neighbours: Neighbours): number {
  let height = 0;
  for (let level = [id]; height <= 2 * DEPENDENCY_DEPTH_MAX; height += 1) {
    level = [...new Set(level.flatMap(neighbours))];
    if (level.length === 0) return height;
  }
  return height;
}

function dependentsIn(ids: readonly string[], parents: Neighbours): Neighbours {
  const children = new Map<string, string[]>();
  for (const id of new Set(ids))
    for (const parent of parents(id)) {
      const known = children.get(parent);
      if (known === undefined) children.set(parent, [id]);
      else known.push(id);
    }
  return (id) => children.get(id) ?? [];
}
