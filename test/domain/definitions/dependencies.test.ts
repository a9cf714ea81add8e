/** Tests dependencies: how references are resolved, and that no cycle or long chain is accepted. */
import {
  type DependencyNode,
  resolveDependencies,
} from '../../../src/domain/definitions/dependencies';
import { createRandom } from '../../support/random';
import { testSeed } from '../../support/test-seed';

function node(
  id: string,
  dependsOn: readonly string[] = [],
  key: string | null = id,
): DependencyNode {
  return {
    kind: id.startsWith('s') ? 'scenario' : 'monitor',
    id,
    key,
    name: id.toUpperCase(),
    dependsOn,
  };
}

const SELF = { id: 'self', name: 'SELF' };

test('dependencies are resolved by key and by id, and each is listed once', () => {
  const nodes = [node('a', [], 'router'), node('b')];
  const { ids, problems } = resolveDependencies(SELF, ['router', 'a', 'b'], nodes);
  expect([ids, problems]).toEqual([['a', 'b'], []]);
});

test('every dependency that is unknown or ambiguous is reported', () => {
  const nodes = [node('m1', [], 'twin'), node('s1', [], 'twin')];
  const { ids, problems } = resolveDependencies(SELF, ['gone', 'm1', 'twin'], nodes);
  expect(ids).toEqual(['m1']);
  expect(problems.map(({ index, code }) => [index, code])).toEqual([
    [0, 'invalid_value'],
    [2, 'invalid_value'],
  ]);
});

test('a cycle of dependencies is refused, and every check in the cycle is named', () => {
  const nodes = [node('a', ['b']), node('b', ['self']), node('self', [])];
  const { problems } = resolveDependencies(SELF, ['a'], nodes);
  expect(problems).toEqual([
    {
      index: null,
      code: 'dependency_cycle',
      message: 'creates a cycle: “SELF” → “A” → “B” → “SELF”',
    },
  ]);
  const own = resolveDependencies(SELF, ['self'], nodes);
  expect(own.problems.map(({ code }) => code)).toEqual(['dependency_cycle']);
});

test('chains of five dependencies are accepted, and chains of six are refused', () => {
  const above = [node('p1', ['p2']), node('p2', ['p3']), node('p3')];
  const below = [node('self'), node('c1', ['self']), node('c2', ['c1'])];
  expect(resolveDependencies(SELF, ['p1'], [...above, ...below]).problems).toEqual([]);
  const longer = [...above, ...below, node('c3', ['c2'])];
  expect(resolveDependencies(SELF, ['p1'], longer).problems).toEqual([
    expect.objectContaining({ code: 'out_of_bounds', index: null }),
  ]);
});

test('dependencies that no longer exist are ignored', () => {
  const nodes = [node('a', ['gone']), node('b', ['gone'])];
  expect(resolveDependencies(SELF, ['a', 'b'], nodes).problems).toEqual([]);
});

test('random graphs built from accepted saves never contain a cycle or a chain of more than five', () => {
  const seed = testSeed();
  const random = createRandom(seed);
  const ids = Array.from({ length: 12 }, (_, index) => `n${index}`);
  let nodes = ids.map((id) => node(id));
  for (let save = 0; save < 300; save += 1) {
    const id = ids[Math.floor(random() * ids.length)] ?? 'n0';
    const wanted = ids.filter(() => random() < 0.15);
    const { ids: dependsOn, problems } = resolveDependencies({ id, name: id }, wanted, nodes);
    if (problems.length === 0)
      nodes = nodes.map((each) => (each.id === id ? { ...each, dependsOn } : each));
    const longest = Math.max(...ids.map((each) => lengthFrom(each, nodes)));
    expect({ seed, save, isShort: longest <= 5 }).toEqual({ seed, save, isShort: true });
  }
});

/** Returns the length of the longest chain of dependencies. In a cycle, returns a number above 20. */
function lengthFrom(id: string, nodes: readonly DependencyNode[], walked = 0): number {
  if (walked > 20) return walked;
  const parents = nodes.find((each) => each.id === id)?.dependsOn ?? [];
  return Math.max(0, ...parents.map((parent) => 1 + lengthFrom(parent, nodes, walked + 1)));
}
