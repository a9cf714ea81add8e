/** Finds monitors and scenarios by key, id, or a unique name. */

import { findNearestItems } from '../domain/text/nearest-word';
import { CliError, EXIT_CODES, usageError } from './cli-error';
import type { Client } from './client';
import { type Resource, resourceShape } from './shapes';

export type Collection = 'monitors' | 'scenarios';

const SUGGESTED_MAX = 3;
const ID_PREFIXES: Readonly<Record<Collection, string>> = { monitors: 'mon_', scenarios: 'scn_' };

/**
 * Finds one resource by its key, id or name. Ignores letter case, unless several names differ only in letter case.
 * Throws if no resource or more than one resource matches.
 */
export async function findResource(
  client: Client,
  collection: Collection,
  reference: string,
): Promise<Resource> {
  if (reference.startsWith(ID_PREFIXES[collection]))
    return client.call(`v1/${collection}/${encodeURIComponent(reference)}`, resourceShape);
  const query = { q: reference.trim() };
  const similar = await client.list(`v1/${collection}`, resourceShape, query);
  const found = findNamed(similar, reference);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const kind = collection.slice(0, -1);
  if (first !== undefined) {
    throw new CliError(
      EXIT_CODES.rejected,
      `${found.length} ${collection} are named ${reference}.`,
      {
        code: 'ambiguous',
        hint: `Use a key or an id: ${found.map(({ id }) => id).join(', ')}.`,
      },
    );
  }
  const likely = await findLikely(client, collection, reference, similar);
  throw new CliError(
    EXIT_CODES.rejected,
    `There is no ${kind} with the key or name ${reference}.`,
    {
      code: 'not_found',
      hint:
        likely.length > 0
          ? `Similar: ${likely.join(', ')}.`
          : `To see all, run keepwatch ${collection} list.`,
    },
  );
}

/**
 * Returns the resources with this key. If there are none, returns those with this name. If there are none either,
 * returns those whose key or name differs only in letter case.
 */
function findNamed(resources: readonly Resource[], reference: string): readonly Resource[] {
  const byKey = resources.filter(({ key }) => key === reference);
  if (byKey.length > 0) return byKey;
  const byName = resources.filter(({ name }) => name === reference);
  if (byName.length > 0) return byName;
  const typed = reference.toLowerCase();
  return resources.filter(({ key, name }) =>
    [key, name].some((text) => text?.toLowerCase() === typed),
  );
}

/**
 * Suggests resources whose name, host or key contains the text. If there are none, suggests the resources with the most
 * similar key or name, or with the most similar word in them.
 */
async function findLikely(
  client: Client,
  collection: Collection,
  reference: string,
  similar: readonly Resource[],
): Promise<readonly string[]> {
  const listTexts = ({ key, name }: Resource) => (key == null ? [name] : [key, name]);
  const likely =
    similar.length > 0
      ? similar
      : findNearestItems(
          reference,
          await client.list(`v1/${collection}`, resourceShape),
          listTexts,
        );
  return likely.slice(0, SUGGESTED_MAX).map(({ key, name }) => key ?? name);
}

interface Selection {
  readonly references: readonly string[];
  readonly tag?: string | undefined;
  /** The command that acts on the selection, such as `run`. A hint may name it. */
  readonly verb: string;
}

/**
 * Returns the named resources and the resources with the tag, without duplicates. Throws if nothing is selected, or if
 * no resource has the tag, so that a mistyped tag does not look like a success.
 */
export async function findResources(
  client: Client,
  collection: Collection,
  { references, tag, verb }: Selection,
): Promise<readonly Resource[]> {
  if (references.length === 0 && tag === undefined)
    throw usageError(`Name the ${collection} by key, id or name, or by --tag.`);
  const found: Resource[] = [];
  for (const reference of references) found.push(await findResource(client, collection, reference));
  if (tag !== undefined) {
    const tagged = await client.list(`v1/${collection}`, resourceShape, { tag });
    if (tagged.length === 0) throw await createNoMatch(client, collection, { tag, verb });
    found.push(...tagged);
  }
  return [...new Map(found.map((resource) => [resource.id, resource])).values()];
}

/** Creates the error for a tag without resources. If the other collection has the tag, the hint names its command. */
async function createNoMatch(
  client: Client,
  collection: Collection,
  { tag, verb }: { readonly tag: string; readonly verb: string },
): Promise<CliError> {
  const other = collection === 'monitors' ? 'scenarios' : 'monitors';
  const { length } = await client.list(`v1/${other}`, resourceShape, { tag });
  const have = length === 1 ? `1 ${other.slice(0, -1)} has` : `${length} ${other} have`;
  const hint = `${have} this tag: keepwatch ${other} ${verb} --tag ${tag}`;
  const kind = collection.slice(0, -1);
  return usageError(`No ${kind} has the tag ${tag}.`, length === 0 ? undefined : hint);
}
