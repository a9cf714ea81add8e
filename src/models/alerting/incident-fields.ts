/** Converts nested fields of an incident to the form that a document stores. Absent fields stay absent. */

export const evidenceField = {
  type: {
    _id: false,
    slotMs: Number,
    failures: Number,
    failuresBeforeDown: Number,
    regions: Number,
    failing: Number,
    quorum: Number,
  },
  default: undefined,
};

export const providerField = {
  type: {
    _id: false,
    tokenUrl: String,
    problem: String,
    reason: String,
    checkCount: Number,
    checks: [{ _id: false, resourceType: String, resourceId: String, resourceName: String }],
    ended: String,
  },
  default: undefined,
};
