// A parsed filter: a tree that both the matcher and the planner read.

/** Operators that test the value at a path. */
export type PathOperator =
  | '$eq'
  | '$ne'
  | '$gt'
  | '$gte'
  | '$lt'
  | '$lte'
  | '$in'
  | '$nin'
  | '$exists'
  | '$regex';

export interface PathNode {
  readonly kind: 'path';
  readonly path: string;
  readonly operator: PathOperator;
  /** The operand as it was sent. */
  readonly operand: unknown;
  /** Tests the value as a whole, without the elements of an array. */
  readonly test: ValueTest;
}

/** Tests a value. `missing` means that the path does not exist in the document. */
export type ValueTest = (value: unknown, missing: boolean) => boolean;

/** A combination of several filters. */
export interface LogicalNode {
  readonly kind: '$and' | '$or' | '$nor';
  readonly nodes: readonly FilterNode[];
}

export type FilterNode = PathNode | LogicalNode;
