// Splits the bytes of one client into frames. An incomplete frame is kept in a single buffer.
import { frameLength } from './message';

const FIRST_BUFFER_BYTES = 1024;

/** Reads the frames of a byte stream. Throws for an invalid frame length. */
export class FrameReader {
  private buffer: Buffer = Buffer.alloc(0);
  private length = 0;

  /** The bytes of memory that an incomplete frame uses. 0 between two frames. */
  get heldBytes(): number {
    return this.length === 0 ? 0 : this.buffer.length;
  }

  /** Returns the frames that these bytes complete. */
  push(bytes: Buffer): Buffer[] {
    const data = this.length === 0 ? bytes : this.append(bytes);
    const frames: Buffer[] = [];
    let at = 0;
    for (let rest = data; ; rest = data.subarray(at)) {
      const length = frameLength(rest);
      if (length === undefined || rest.length < length) break;
      frames.push(rest.subarray(0, length));
      at += length;
    }
    if (this.length === 0 || frames.length > 0) this.keep(data.subarray(at));
    return frames;
  }

  private append(bytes: Buffer): Buffer {
    const length = this.length + bytes.length;
    if (length > this.buffer.length) {
      const larger = Buffer.allocUnsafe(length * 2);
      this.buffer.copy(larger, 0, 0, this.length);
      this.buffer = larger;
    }
    bytes.copy(this.buffer, this.length);
    this.length = length;
    return this.buffer.subarray(0, length);
  }

  // Keeps the incomplete rest of the bytes. The rest is copied, because the returned frames still use the old buffer.
  private keep(rest: Buffer): void {
    this.length = rest.length;
    if (rest.length === 0) {
      this.buffer = rest;
      return;
    }
    this.buffer = Buffer.allocUnsafe(Math.max(FIRST_BUFFER_BYTES, rest.length));
    rest.copy(this.buffer);
  }
}
