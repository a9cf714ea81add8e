/** Plans and starts what follows a change of an environment or of the account's variables. */
import type { Monitor } from '../../models/resources/monitors';
import type { ResourceFilter } from '../../models/resources/resource';
import type { Scenario } from '../../models/resources/scenarios';
import { AppError, type FieldProblem } from '../../platform/errors';
import { mapAtMost } from '../../platform/map-at-most';
import { oneAtATime } from '../accounts/plan-limits';
import type { Principal } from '../accounts/principal';
import { readChange } from '../lists/read-change';
import { monitorKind } from '../monitors/kind';
import { anyVersion } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import type { Kind, KindTypes } from '../resources/kind';
import { replaceResource } from '../resources/resource-verbs';
import { scenarioKind } from '../scenarios/kind';
import { findStaleUsers } from './users';

const AT_ONCE_MAX = 10;
const NAMED_MAX = 50;

type Users = Pick<ResourceFilter, 'environment' | 'inherits'>;

/** Changes of environments and account variables run one after the other, so that each is planned with the last one. */
export function inLayerTurn<Value>(
  needs: Dependencies,
  accountId: string,
  act: () => Promise<Value>,
): Promise<Value> {
  return oneAtATime(needs, { accountId, kind: 'layers' }, act);
}

interface Plan {
  readonly accountId: string;
  readonly users: Users;
  /** Ids of users that are not checked. */
  readonly except?: ReadonlySet<string> | undefined;
}

/** Throws `in_use` with each user that would become invalid, and the paths. `needs` reads the planned values. */
export async function planUsers(
  needs: Dependencies,
  { accountId, users, except }: Plan,
): Promise<void> {
  const found = await findStaleUsers(needs, accountId, users);
  const stale = found.filter(({ id }) => except?.has(id) !== true);
  const problems = await mapAtMost(AT_ONCE_MAX, stale, (user) =>
    'steps' in user
      ? findProblems(scenarioKind(needs), user)
      : findProblems(monitorKind(needs), user),
  );
  const errors = problems.flat().slice(0, NAMED_MAX);
  if (errors.length === 0) return;
  const message = 'Monitors or scenarios would become invalid. Change them first.';
  throw new AppError('in_use', message, { errors });
}

async function findProblems<Types extends KindTypes>(
  kind: Kind<Types>,
  stored: Types['Resource'],
): Promise<readonly FieldProblem[]> {
  const { accountId, id, name } = stored;
  try {
    await kind.compose({ accountId, id, stored }, readOwnBody(kind, stored));
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.errors.length === 0) throw error;
    return error.errors.map(({ path, code, message }) => ({
      path: `${id}.${path}`,
      code,
      message: `(“${name}”) ${message}`,
    }));
  }
}

/** The body that a PUT of the resource as it is shown would have. */
export function readOwnBody<Types extends KindTypes>(
  kind: Kind<Types>,
  stored: Types['Resource'],
): Types['Body'] {
  const shown = Object.entries(kind.present(stored, null));
  const view = Object.fromEntries(shown.filter(([name]) => !kind.readOnlyFields.includes(name)));
  return readChange(kind.shape, { sent: view, stored: view });
}

export interface Recomposition {
  readonly accountId: string;
  readonly actor: Principal['actor'];
  readonly cause:
    | { readonly type: 'environment'; readonly key: string }
    | { readonly type: 'variables' };
  readonly users: Users;
}

/** Composes all users anew whose inherited values differ from what is stored now. */
export async function recomposeUsers(
  needs: Dependencies,
  { accountId, users }: Recomposition,
): Promise<void> {
  const stale = await findStaleUsers(needs, accountId, users);
  await mapAtMost(AT_ONCE_MAX, stale, (user: Monitor | Scenario) =>
    'steps' in user
      ? recompose(needs, scenarioKind(needs), user)
      : recompose(needs, monitorKind(needs), user),
  );
}

async function recompose<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  stored: Types['Resource'],
): Promise<void> {
  const { accountId, id } = stored;
  const body = readOwnBody(kind, stored);
  await replaceResource(needs, kind, { accountId, id, body, isEnabled: null, accept: anyVersion });
}
