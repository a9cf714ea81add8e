// A parsed update. The operators are in the order in which they are applied.
import type { BsonDocument } from '../values/bson-values';

/** The update operators that are supported. */
export type UpdateOperator =
  | '$set'
  | '$setOnInsert'
  | '$unset'
  | '$inc'
  | '$min'
  | '$max'
  | '$push';

export interface UpdateAction {
  readonly operator: UpdateOperator;
  readonly parts: readonly string[];
  readonly path: string;
  readonly operand: unknown;
}

export type ParsedUpdate =
  | { readonly kind: 'replacement'; readonly document: BsonDocument }
  | { readonly kind: 'actions'; readonly actions: readonly UpdateAction[] };
