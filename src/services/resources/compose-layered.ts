/**
 * Composes the effective definition of a monitor or scenario from its body and its profile. If a value from the profile
 * is invalid, the problem names the profile.
 */

import type { ZodType } from 'zod';
import {
  composeFields,
  type Fields,
  type LayerRules,
  listFieldNames,
  pickOwn,
} from '../../domain/definitions/layers';
import { readOwn, readPatchedOwn, readReplacingOwn } from '../../domain/definitions/own-fields';
import type { Profile } from '../../models/resources/profiles';
import type { Layers, Resource } from '../../models/resources/resource';
import { toCanonicalJson } from '../../platform/canonical-json';
import { AppError, type FieldProblem } from '../../platform/errors';
import type { CheckedShape } from '../../schemas/issues';
import { listInheritableFields, listInheritableNames } from '../../schemas/profiles/profile-fields';
import { withoutFields } from '../../schemas/read-only';
import { refuseProblems } from '../lists/field-problems';
import { readChange } from '../lists/read-change';
import type { Dependencies } from '../ports/dependencies';
import { explainProblem } from '../profiles/explain-problem';
import { findDefaultProfile, findForeignFields, unknownProfile } from '../profiles/find-profile';
import { unmaskHeaders } from '../profiles/unmask-headers';
import { resolveRegions } from '../regions/regions';
import type { Kind, KindFacts, KindTypes, Owner } from './kind';
import { complete } from './layers';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'configuredRegions'>;

/**
 * How the body was sent.
 *
 * - `create` and `file`: the body contains exactly the fields that the resource sets itself. If a file names no
 *   profile, the stored profile stays.
 * - `replace`: the body is a whole definition. It may be a response that a client sends back.
 * - `patch`: the body is the definition after the patch. Fields in `unset` are no longer own fields.
 * - `recompose`: the body is the stored definition.
 */
export type BodyChange =
  | { readonly type: 'create' | 'file' | 'replace' | 'recompose' }
  | { readonly type: 'patch'; readonly patch: Fields; readonly unset?: readonly string[] };

interface SentBody {
  readonly sent: Fields;
  readonly change: BodyChange;
  /** The stored definition in the form of a body. null for a new resource. */
  readonly view: Fields | null;
}

/** A body with all defaults filled in. Also describes which values are own and which are inherited from the profile. */
export interface LayeredBody<Body> {
  readonly body: Body;
  readonly layers: Layers;
  readonly explain: (problem: FieldProblem) => FieldProblem;
}

/** Removes the stored fields about the profile from a resource that no longer has a profile. */
const NO_LAYERS: Required<{ [Name in keyof Layers]: undefined }> = {
  profile: undefined,
  own: undefined,
  fromProfile: undefined,
  profileVersion: undefined,
};

/** Composes the definition. Throws one error with all problems, like `kind.compose`. */
export async function composeLayered<Types extends KindTypes>(
  needs: Needs,
  kind: Kind<Types>,
  { owner, ...sent }: SentBody & { readonly owner: Owner<Types['Resource']> },
): Promise<{ readonly body: Types['Body']; readonly fields: Types['Fields'] }> {
  const { body, layers, explain } = await readLayered(needs, kind, { ...sent, owner });
  const fields = await withExplanations(explain, () => kind.compose(owner, body));
  return { body, fields: { ...fields, ...layers } };
}

type LayeredOwner = Pick<
  Owner<Layers & Pick<Resource, 'environment' | 'inherited'>>,
  'accountId' | 'stored'
>;

interface LayeredShape<Body> extends Pick<KindFacts<KindTypes>, 'idKind' | 'readOnlyFields'> {
  readonly shape: CheckedShape<ZodType<Body>>;
}

/** Reads the body of a test request. The body contains an unsaved definition. */
export function readUnsaved<Body>(
  needs: Needs,
  tested: LayeredShape<Body>,
  { accountId, sent }: { readonly accountId: string; readonly sent: Fields },
): Promise<LayeredBody<Body>> {
  const owner = { accountId, stored: null };
  return readLayered(needs, tested, { sent, change: { type: 'create' }, view: null, owner });
}

/** Reads the body without composing the definition. */
async function readLayered<Body>(
  needs: Needs,
  { shape, idKind, readOnlyFields }: LayeredShape<Body>,
  given: SentBody & { readonly owner: LayeredOwner },
): Promise<LayeredBody<Body>> {
  const { owner, change, view } = given;
  const isChange = change.type !== 'create' && change.type !== 'file';
  const sent = isChange ? readFields(withoutFields(given.sent, readOnlyFields)) : given.sent;
  const type = readType(idKind, sent);
  const found = await findProfile(needs, { ...given, sent }, type);
  if (found === null) {
    const body = await readWithVariables(needs, shape, { sent, view, owner });
    return { body, layers: NO_LAYERS, explain: (problem) => problem };
  }
  const { key, profile } = found;
  const foreign = profile === null ? [] : findForeignFields(profile, type);
  const set = readFields(withoutFields(profile?.set ?? {}, foreign));
  const rules = await createRules(needs, idKind, { type, isChange });
  const own = readOwnFields({ ...given, sent, key, set }, rules);
  const names = listFieldNames(own, rules);
  const fromProfile = listFieldNames(set, rules).filter((name) => !names.includes(name));
  const composed = composeFields({ ...own, profile: key }, set, rules);
  const effective = withStoredRegions(composed, { view, stored: owner.stored });
  const explain = (problem: FieldProblem) => explainProblem(problem, { key, set, fromProfile });
  const problems: readonly FieldProblem[] = [
    ...(profile === null ? [unknownProfile(key)] : []),
    ...foreign.map((field) => foreignProblem(field, { key, type })),
  ];
  const body = await withExplanations(
    explain,
    () => readWithVariables(needs, shape, { sent: effective, view, owner }),
    problems,
  );
  const profileVersion = profile?.setVersion;
  return { body, layers: { profile: key, own: names, fromProfile, profileVersion }, explain };
}

/**
 * Reads the body. Unknown variables of an invalid body are reported with its other problems. Unknown variables of a
 * valid body are reported later, when the definition is composed.
 */
async function readWithVariables<Body>(
  needs: Needs,
  shape: CheckedShape<ZodType<Body>>,
  { sent, view, owner }: Pick<SentBody, 'sent' | 'view'> & { readonly owner: LayeredOwner },
): Promise<Body> {
  try {
    return readChange(shape, { sent, stored: view });
  } catch (error) {
    if (!(error instanceof AppError) || error.errors.length === 0) throw error;
    const { environment: key } = sent;
    const { problems } = await complete(needs, {
      ...owner,
      environment: typeof key === 'string' ? key : null,
      references: shape.readReferences?.(sent),
    });
    const isKnown = error.errors.some(({ path }) => path === 'environment');
    const added = problems.filter(({ path }) => !isKnown || path !== 'environment');
    refuseProblems([...error.errors, ...added]);
    throw error;
  }
}

function readType(idKind: 'monitor' | 'scenario', { type }: Fields): string {
  if (idKind === 'scenario') return 'scenario';
  return typeof type === 'string' ? type : 'http';
}

interface FoundProfile {
  readonly key: string;
  /** The profile. null if there is none with this key. */
  readonly profile: Profile | null;
}

/** Finds the named profile, or the default profile. null if there is none, or if the stored profile was deleted. */
async function findProfile(
  needs: Needs,
  {
    sent,
    change,
    owner,
  }: SentBody & { readonly owner: Pick<Owner<Layers>, 'accountId' | 'stored'> },
  type: string,
): Promise<FoundProfile | null> {
  const { accountId, stored } = owner;
  const given = change.type === 'patch' ? change.patch['profile'] : sent['profile'];
  const isStoredKept = change.type !== 'create' && change.type !== 'replace';
  const key = given === undefined && isStoredKept ? stored?.profile : given;
  if (key === undefined && stored === null) {
    const profile = await findDefaultProfile(needs, accountId, type);
    return profile && { key: profile.key, profile };
  }
  if (typeof key !== 'string') return null;
  const profile = await needs.stores.profiles.findByKey(accountId, key);
  return profile === null && key === stored?.profile ? null : { key, profile };
}

interface OwnRequest extends SentBody {
  readonly owner: Pick<Owner<Layers>, 'stored'>;
  readonly key: string;
  readonly set: Fields;
}

function readOwnFields(
  { sent, change, view, owner, key, set }: OwnRequest,
  rules: LayerRules,
): Fields {
  const stored = owner.stored?.profile === undefined ? null : owner.stored;
  const own = stored?.own ?? [];
  switch (change.type) {
    case 'create':
    case 'file':
      return readOwn(view === null ? sent : unmaskHeaders(sent, view), set);
    case 'recompose':
      return pickOwn({ view: sent, own }, rules);
    case 'patch':
      return readPatchedOwn(
        { merged: sent, patch: change.patch, unset: change.unset ?? [], set },
        stored && { view: sent, own },
        rules,
      );
    case 'replace': {
      const before = { view: view ?? {}, own, isSameProfile: stored?.profile === key };
      return readReplacingOwn(unmaskHeaders(sent, before.view), { set }, { rules, before });
    }
  }
}

/**
 * Keeps the stored regions if the body names no regions. Default regions are chosen once, and stay the same in later
 * saves.
 */
function withStoredRegions(
  fields: Fields,
  { view, stored }: { readonly view: Fields | null; readonly stored: Layers | null },
): Fields {
  const isChosen = [...(stored?.own ?? []), ...(stored?.fromProfile ?? [])].includes('regions');
  const regions = view?.['regions'];
  if (stored?.profile === undefined || isChosen || regions === undefined) return fields;
  return fields['regions'] === undefined ? { ...fields, regions } : fields;
}

/**
 * Creates the rules for combining own and inherited fields of the type. The same value can be written in several ways,
 * so values are compared after the schema has parsed them.
 */
async function createRules(
  needs: Needs,
  idKind: 'monitor' | 'scenario',
  { type, isChange }: { readonly type: string; readonly isChange: boolean },
): Promise<LayerRules> {
  const shapes = listInheritableFields(type);
  const running = isChange && shapes.has('regions') ? await resolveRegions(needs, null) : null;
  const names = running?.names ?? [];
  const defaults: Fields = {
    method: 'GET',
    regions: idKind === 'scenario' ? names.slice(0, 1) : names,
  };
  const read = (field: string, value: unknown): string => {
    const parsed = shapes.get(field)?.safeParse(value ?? defaults[field]);
    return toCanonicalJson((parsed?.success ? parsed.data : value) ?? null);
  };
  return {
    inheritable: listInheritableNames(type),
    isSame: (field, one, other) => read(field, one) === read(field, other),
  };
}

function foreignProblem(
  field: string,
  { key, type }: { readonly key: string; readonly type: string },
): FieldProblem {
  const what = type === 'scenario' ? 'a scenario' : `the type ${type}`;
  const message = `${key} sets ${field}, which ${what} does not have; use another profile`;
  return { path: 'profile', code: 'invalid_value', message };
}

/** Runs `read`. Throws one error with the known problems and, completed by `explain`, the problems of `read`. */
export async function withExplanations<Value>(
  explain: (problem: FieldProblem) => FieldProblem,
  read: () => Value | Promise<Value>,
  known: readonly FieldProblem[] = [],
): Promise<Value> {
  try {
    const value = await read();
    refuseProblems(known);
    return value;
  } catch (error) {
    if (!(error instanceof AppError) || error.errors.length === 0 || error.errors === known)
      throw error;
    refuseProblems([...known, ...error.errors.map(explain)]);
    throw error;
  }
}

function readFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}
