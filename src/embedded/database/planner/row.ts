// A document on its way through a command: its bytes, and of its fields only what is looked at.
import { type BsonDocument, decodeDocument } from '../values/bson-values';
import { type FieldNames, pickFields } from '../values/pick-fields';

/** A document found or made. */
export class Row {
  private decoded: BsonDocument | undefined;

  constructor(readonly bytes: Buffer) {}

  get document(): BsonDocument {
    this.decoded ??= decodeDocument(this.bytes);
    return this.decoded;
  }

  /** Some of its top-level fields; the others are not decoded. */
  fields(names: FieldNames): BsonDocument {
    return this.decoded ?? decodeDocument(pickFields(this.bytes, names));
  }
}
