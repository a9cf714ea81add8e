/** The groups of a status page in files, which name monitors and scenarios by key. */
import type { StatusPage, StatusPageItem } from '../../models/status-pages/status-pages';
import type { FieldProblem } from '../../platform/errors';
import type { StatusPageBody, StatusPageEntry } from '../../schemas/status-pages/status-page';
import { refuseProblems } from '../lists/field-problems';
import type { ChangeContext } from '../objects/thing';

type Named = Pick<ChangeContext, 'resources'>;

/** Items by key if they have a key, without deleted items. */
export function buildGroups({ groups }: StatusPage, { resources }: Named) {
  const buildItem = ({ id, name }: StatusPageItem) => {
    const resource = resources.get(id);
    if (resource === undefined) return [];
    return [resource.key === null ? { id, name } : { [resource.kind]: resource.key, name }];
  };
  return groups
    .map(({ name, items }) => ({ name, items: items.flatMap(buildItem) }))
    .filter(({ items }) => items.length > 0);
}

/** Items by id. Throws for unknown keys and ids, except items that the stored page already shows. */
export function readGroups(
  { groups }: StatusPageEntry,
  { resources }: Named,
  stored: StatusPage | undefined,
): StatusPageBody['groups'] {
  const idOfKey = new Map(
    [...resources].map(([id, { kind, key }]) => [`${kind} ${key}`, id] as const),
  );
  const kept = new Set(stored?.groups.flatMap(({ items }) => items.map(({ id }) => id)));
  const problems: FieldProblem[] = [];
  const findId = (item: StatusPageEntry['groups'][number]['items'][number], path: string) => {
    const { id = '', monitor, scenario } = item;
    if (resources.has(id) || kept.has(id)) return id;
    const kind = monitor === undefined ? 'scenario' : 'monitor';
    const key = monitor ?? scenario;
    const found = key === undefined ? undefined : idOfKey.get(`${kind} ${key}`);
    if (found !== undefined) return found;
    problems.push(
      key === undefined
        ? { path: `${path}.id`, code: 'unknown_id', message: 'is not a monitor or scenario' }
        : { path: `${path}.${kind}`, code: 'unknown_key', message: `is not the key of a ${kind}` },
    );
    return '';
  };
  const named = groups.map(({ name, items }, at) => ({
    name,
    items: items.map((item, index) => ({
      id: findId(item, `groups[${at}].items[${index}]`),
      name: item.name,
    })),
  }));
  refuseProblems(problems);
  return named;
}
