// An update after parsing: the operators in the order in which they are applied.
import type { FilterNode } from '../query/filter-types';
import type { BsonDocument } from '../values/bson-values';

/** The update operators that are supported. */
export type UpdateOperator =
  | '$set'
  | '$setOnInsert'
  | '$unset'
  | '$inc'
  | '$mul'
  | '$min'
  | '$max'
  | '$rename'
  | '$currentDate'
  | '$push'
  | '$addToSet'
  | '$pull'
  | '$pullAll'
  | '$pop';

/** One operator at one path. */
export interface UpdateAction {
  readonly operator: UpdateOperator;
  readonly parts: readonly string[];
  readonly path: string;
  readonly operand: unknown;
}

/** A parsed update. */
export type ParsedUpdate =
  | { readonly kind: 'replacement'; readonly document: BsonDocument }
  | {
      readonly kind: 'actions';
      readonly actions: readonly UpdateAction[];
      readonly arrayFilters: ReadonlyMap<string, (item: unknown) => boolean>;
    };

/** What an update needs to know beside the document. */
export interface UpdateContext {
  /** The filter that found the document, for the positional `$`. */
  readonly filter: FilterNode;
  /** True when an upsert makes a new document. */
  readonly inserting: boolean;
  readonly now: Date;
}
