// The errors that a client sees, with MongoDB's codes and names.

const CODE_NAMES = {
  1: 'InternalError',
  2: 'BadValue',
  9: 'FailedToParse',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  15: 'Overflow',
  20: 'IllegalOperation',
  21: 'InvalidLength',
  22: 'InvalidBSON',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  50: 'MaxTimeMSExpired',
  48: 'NamespaceExists',
  52: 'DollarPrefixedFieldName',
  53: 'InvalidIdField',
  54: 'NotSingleValueField',
  56: 'EmptyFieldName',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  143: 'CursorInUse',
  168: 'InvalidPipelineOperator',
  197: 'InvalidIndexSpecificationOption',
  171: 'CannotIndexParallelArrays',
  175: 'QueryPlanKilled',
  237: 'CursorKilled',
  238: 'NotImplemented',
  276: 'IndexBuildAborted',
  292: 'QueryExceededMemoryLimitNoDiskUseAllowed',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  14031: 'OutOfDiskSpace',
  17280: 'KeyTooLong',
} as const;

/** Returns MongoDB's name for a code. A code without a name of its own is called Location<code>. */
function findCodeName(code: number): string {
  const names: Readonly<Record<number, string>> = CODE_NAMES;
  return names[code] ?? `Location${code}`;
}

/**
 * Thrown to reject a command or one of its writes. The message is for the client. `details` are MongoDB's extra fields
 * (keyPattern, keyValue).
 */
export class DatabaseError extends Error {
  readonly code: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: number, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'DatabaseError';
    this.code = code;
    this.details = details;
  }

  get codeName(): string {
    return findCodeName(this.code);
  }
}

/** Creates the error 2 BadValue, for a value that the command does not accept. */
export function badValue(message: string): DatabaseError {
  return new DatabaseError(2, message);
}

/** Creates the error 9 FailedToParse, for an operator or option that cannot be parsed. */
export function failedToParse(message: string): DatabaseError {
  return new DatabaseError(9, message);
}

/** Creates the error 14 TypeMismatch, for a value of the wrong BSON type. */
export function typeMismatch(message: string): DatabaseError {
  return new DatabaseError(14, message);
}
