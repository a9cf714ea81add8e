// What a stage of a pipeline is, once it is read.
import type { Walk } from '../planner/slices';
import type { BsonDocument } from '../values/bson-values';

/** One stage, ready to run. */
export interface Stage {
  /** True when it evaluates expressions, and so needs JavaScript numbers. */
  readonly computes: boolean;
  readonly apply: (documents: Walk<BsonDocument>) => Promise<Walk<BsonDocument>>;
}
