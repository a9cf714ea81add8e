/**
 * Reads entities from queries. `toEntity` converts a document that has the fields of its entity, except that the id is
 * called `_id`.
 */

export function toEntity<Document extends { readonly _id: string }>({ _id, ...fields }: Document) {
  return { ...fields, id: _id };
}

export function toStored<Entity extends { readonly id: string }>({ id, ...fields }: Entity) {
  return { ...fields, _id: id };
}

/** Returns the entity. null means that the query finds nothing. */
export async function readOne<Document, Entity>(
  query: PromiseLike<Document | null>,
  fromDocument: (document: Document) => Entity,
): Promise<Entity | null> {
  const found = await query;
  return found === null ? null : fromDocument(found);
}

export async function readAll<Document, Entity>(
  query: PromiseLike<readonly Document[]>,
  fromDocument: (document: Document) => Entity,
): Promise<Entity[]> {
  return (await query).map((document) => fromDocument(document));
}
