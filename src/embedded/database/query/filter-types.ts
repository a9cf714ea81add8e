// The shape of a filter after parsing: one tree that both the matcher and the planner read.

/** The operators that test the value at a path. */
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

/** One test of the values at one path. */
export interface PathNode {
  readonly kind: 'path';
  readonly path: string;
  readonly operator: PathOperator;
  /** The operand as it was sent. */
  readonly operand: unknown;
  /** True for the value at the path, an array not yet opened. */
  readonly test: ValueTest;
}

/** True when the value passes. `missing` tells that the path led nowhere. */
export type ValueTest = (value: unknown, missing: boolean) => boolean;

/** Several filters joined. */
export interface LogicalNode {
  readonly kind: '$and' | '$or' | '$nor';
  readonly nodes: readonly FilterNode[];
}

/** A parsed filter. */
export type FilterNode = PathNode | LogicalNode;
