/**
 * Decides which fields of a definition are its own. All other fields have the values of the profile, or the defaults.
 * Pure.
 */
import { isRecord } from '../../contracts/json';
import {
  type Composed,
  type Fields,
  findEntry,
  type LayerRules,
  listEntries,
  listFieldNames,
  MERGED_FIELDS,
  nameEntry,
  type ProfileLayer,
  pickOwn,
  readEntries,
  splitName,
} from './layers';

/** Fields of a body that are short forms of assertions. They are stored as assertions. */
const SHORTHANDS: readonly string[] = ['expectedStatus', 'expectedText'];

/**
 * Returns the own fields of a new definition: the fields that were sent. A short form of assertions makes `assertions`
 * own, too. If headers or variables are null, each inherited entry is cleared.
 */
export function readOwn(sent: Fields, set: Fields): Fields {
  const own = new Map(Object.entries(sent));
  for (const field of MERGED_FIELDS)
    if (own.get(field) === null)
      own.set(field, Object.fromEntries(listEntries(set[field]).map(([name]) => [name, null])));
  if (SHORTHANDS.some((name) => own.has(name)) && !own.has('assertions')) own.set('assertions', []);
  return Object.fromEntries(own);
}

/** The stored definition that a body replaces. */
export interface Replaced extends Composed {
  /** True if the body keeps the profile with which the stored definition was composed. */
  readonly isSameProfile: boolean;
}

/**
 * Returns the own fields after a PUT. A sent field is own if it was own before, or if its value differs from the
 * inherited value. So a client that sends an unchanged response back changes nothing.
 */
export function readReplacingOwn(
  sent: Fields,
  { set }: Pick<ProfileLayer, 'set'>,
  { rules, before }: { readonly rules: LayerRules; readonly before: Replaced },
): Fields {
  const own = new Map<string, unknown>();
  const isInherited = (field: string, value: unknown): boolean =>
    rules.isSame(field, value, set[field]) ||
    (before.isSameProfile && rules.isSame(field, value, before.view[field]));
  for (const [field, value] of Object.entries(readOwn(sent, set))) {
    if (!rules.inheritable.has(field) || before.own.includes(field)) own.set(field, value);
    else if (MERGED_FIELDS.includes(field) && isRecord(value))
      own.set(field, readReplacingEntries(field, value, { set, before }));
    else if (!isInherited(field, value)) own.set(field, value);
  }
  for (const [field, cleared] of listCleared(before)) {
    const stated = own.get(field);
    if (isRecord(stated)) own.set(field, { ...withoutEntries(field, cleared, sent), ...stated });
  }
  return Object.fromEntries(own);
}

function readReplacingEntries(
  field: string,
  sent: Fields,
  { set, before }: { readonly set: Fields; readonly before: Replaced },
): Fields {
  const own = Object.entries(sent).filter(([name, value]) => {
    const id = nameEntry(field, name);
    const stored = findEntry(field, before.view[field], id);
    const inherited = findEntry(field, set[field], id);
    const wasOwn = before.own.includes(id);
    if (value === null || (wasOwn && stored !== undefined)) return true;
    if (inherited !== undefined && isEqual(inherited, value)) return false;
    const isUnchanged = stored !== undefined && isEqual(stored, value);
    return wasOwn || !before.isSameProfile || !isUnchanged;
  });
  return Object.fromEntries(own);
}

function withoutEntries(field: string, entries: Fields, sent: Fields): Fields {
  return Object.fromEntries(
    Object.entries(entries).filter(
      ([name]) => findEntry(field, sent[field], nameEntry(field, name)) === undefined,
    ),
  );
}

/** Lists the entries whose inherited value was cleared. A PUT that does not send such an entry leaves it cleared. */
function listCleared({ view, own }: Composed): readonly (readonly [string, Fields])[] {
  return MERGED_FIELDS.map((field) => {
    const names = own.filter((name) => splitName(name).field === field);
    const cleared = names.filter((name) => findEntry(field, view[field], name) === undefined);
    return [field, Object.fromEntries(cleared.map((name) => [splitName(name).entry ?? '', null]))];
  });
}

interface PatchedFields {
  /** The effective definition with the patch applied. */
  readonly merged: Fields;
  readonly patch: Fields;
  /** Fields that must no longer be own. */
  readonly unset?: readonly string[];
  readonly set: Fields;
}

/**
 * Returns the own fields after a PATCH: the previous own fields, and the fields in the patch. For a definition that had
 * no profile before, the previous own fields are those that differ from the default.
 */
export function readPatchedOwn(
  { merged, patch, unset = [], set }: PatchedFields,
  before: Composed | null,
  rules: LayerRules,
): Fields {
  const sent = readOwn(patch, set);
  const patched = listFieldNames(sent, rules);
  const kept = before?.own ?? listDifferences(merged, rules);
  const isKept = (name: string): boolean =>
    !patched.includes(name) && !unset.includes(name) && !unset.includes(splitName(name).field);
  const names = kept.filter(isKept);
  const own = new Map(Object.entries(pickOwn({ view: merged, own: names }, rules)));
  for (const name of patched) {
    const { field, entry } = splitName(name);
    if (entry === null) own.set(field, merged[field] ?? null);
    else own.set(field, { ...readEntries(own.get(field)), ...readEntries(sent[field]) });
  }
  return Object.fromEntries(own);
}

function listDifferences(view: Fields, rules: LayerRules): readonly string[] {
  const differing = Object.entries(view).filter(
    ([field, value]) => MERGED_FIELDS.includes(field) || !rules.isSame(field, value, undefined),
  );
  return listFieldNames(Object.fromEntries(differing), rules);
}

/**
 * Compares JSON texts. This is enough, because entries are texts or small objects whose fields always have the same
 * order.
 */
function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
