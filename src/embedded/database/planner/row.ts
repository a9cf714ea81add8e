// A document that a command processes, decoded only as far as needed.
import { type BsonDocument, decodeDocument } from '../values/bson-values';
import { type FieldNames, pickFields } from '../values/pick-fields';

/** A document that was read or computed. */
export class Row {
  private decoded: BsonDocument | undefined;

  constructor(readonly bytes: Buffer) {}

  get document(): BsonDocument {
    this.decoded ??= decodeDocument(this.bytes);
    return this.decoded;
  }

  /** Returns the named top-level fields, without decoding the others. */
  fields(names: FieldNames): BsonDocument {
    return this.decoded ?? decodeDocument(pickFields(this.bytes, names));
  }
}
