/** The account's variables of a set as one object. A set with variables replaces all variables of the account. */
import { accountVariableEntry, accountVariablesBody } from '../../schemas/environments/environment';
import { validate } from '../../schemas/issues';
import { readList, readRecord } from '../../schemas/loose';
import {
  changeAccountVariables,
  findAccountVariables,
  followAccountVariables,
  planAccountVariables,
} from '../environments/account-variables';
import { refuseProblems } from '../lists/field-problems';
import { readChange } from '../lists/read-change';
import { anyVersion } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { toRecord } from '../resources/service-fields';
import type { ApplyKind, Entry, ObjectPlan, Wish } from './apply-kind';
import type { ApplyNeeds } from './apply-needs';

const KEY = 'variables';
const NAME = 'Variables';

interface Variables {
  readonly accountId: string;
  readonly apply: ApplyNeeds;
  readonly needs: Dependencies;
}

/** Leaves monitors and scenarios of the set out of the plans, because the set defines them, too. */
export function variablesKind(
  accountId: string,
  apply: ApplyNeeds,
  needs: Dependencies,
): ApplyKind {
  const variables = { accountId, apply, needs };
  return {
    list: 'variables',
    async load() {
      const { variables: stored, managedBy } = await findAccountVariables(needs, accountId);
      if (stored.length === 0) return [];
      const view = { key: KEY, variables: toRecord(stored) };
      return [{ id: KEY, key: KEY, name: NAME, managedBy: managedBy ?? null, view }];
    },
    plan: (wish) => planVariables(variables, wish),
    async remove() {
      await change(variables, { body: { variables: [] } });
    },
    whole: { join: joinVariables, split: splitVariables },
    readDefaults: async () => ({}),
  };
}

/** Monitors and scenarios that use the variables follow once the whole set is applied. */
async function change(
  { accountId, apply: { ownIds: except, actor, follow }, needs }: Variables,
  request: Pick<Parameters<typeof changeAccountVariables>[2], 'body' | 'managedBy'>,
): Promise<void> {
  const whole = { ...request, accept: anyVersion, except };
  const stored = await changeAccountVariables(needs, accountId, whole);
  follow.push(() => followAccountVariables(needs, actor, stored));
}

async function planVariables(
  owner: Variables,
  { entry, existing, set }: Wish,
): Promise<ObjectPlan> {
  const { accountId, apply, needs } = owner;
  const { ownIds: except } = apply;
  const variables = readVariables(readList(entry['variables']));
  const body = readChange(accountVariablesBody, {
    sent: { variables },
    stored: existing && { variables: existing.view['variables'] },
  });
  const before = await findAccountVariables(needs, accountId);
  const changed = await planAccountVariables(apply.needs, { before, body, except });
  apply.plannedVariables.account = changed;
  return {
    name: NAME,
    before: existing?.view ?? null,
    after: { key: KEY, variables: toRecord(changed.variables) },
    carryOut: async () => {
      await change(owner, { body, ...(existing === null && { managedBy: set }) });
      return { id: KEY };
    },
  };
}

/** Throws one error with all invalid entries, and with all names that occur twice. */
function readVariables(entries: readonly unknown[]): Readonly<Record<string, string>> {
  const names = new Map<string, string>();
  const problems = entries.flatMap((entry, index) => {
    const checked = validate(accountVariableEntry, entry);
    if (!checked.ok)
      return checked.problems.map((one) => ({ ...one, path: `variables[${index}].${one.path}` }));
    const { name, value } = checked.value;
    const isTwice = names.has(name);
    names.set(name, value);
    const message = 'is already the name of another variable in the set';
    return isTwice ? [{ path: `variables[${index}].name`, code: 'duplicate_name', message }] : [];
  });
  refuseProblems(problems);
  return Object.fromEntries(names);
}

/** Turns the variables of a set into one entry, or none. */
function joinVariables(variables: readonly Entry[]): readonly Entry[] {
  return variables.length === 0 ? [] : [{ key: KEY, variables }];
}

/** Turns the object back into the variables of a set. */
function splitVariables({ variables }: Entry): readonly Entry[] {
  return Object.entries(readRecord(variables)).map(([name, value]) => ({ name, value }));
}
