// The time and memory that a command and its cursor may use. All commands share one memory budget. Code that uses much
// memory must reserve it here.
import { DatabaseError } from '../errors';

/** Bytes of memory that a list, map or set needs for a value, in addition to the bytes of the value itself. */
export const ITEM_BYTES = 400;

/** The memory limit that all sorts, groups, lists and open cursors of a database share. */
export class MemoryBudget {
  private used = 0;

  constructor(private readonly bytesMax: number) {}

  get usedBytes(): number {
    return this.used;
  }

  /** Reserves memory. If not enough bytes are left, throws 292 and reserves nothing. */
  take(bytes: number): void {
    if (this.used + bytes > this.bytesMax) {
      throw new DatabaseError(
        292,
        `Exceeded the memory limit of ${this.bytesMax} bytes for sorts, groups and cursors, and the embedded database does not use the disk for them`,
      );
    }
    this.used += bytes;
  }

  giveBack(bytes: number): void {
    this.used -= bytes;
  }
}

/**
 * One command's time limit and its share of the memory budget. If the command opens a cursor, the cursor uses the same
 * allowance.
 */
export class Allowance {
  private held = 0;
  private state: 'of a command' | 'of a cursor' | 'ended' = 'of a command';
  private deadline: number;
  private leftMs = 0;

  /** `timeMs` is the client's time limit, or infinity if the client sets none. */
  constructor(
    private readonly budget: MemoryBudget,
    timeMs: number,
  ) {
    this.deadline = performance.now() + timeMs;
  }

  /** Reserves memory. Throws 292 if not enough memory is left, and 237 after `end`. */
  take(bytes: number): void {
    this.assertNotEnded();
    this.budget.take(bytes);
    this.held += bytes;
  }

  giveBack(bytes: number): void {
    if (this.state === 'ended') return;
    this.budget.giveBack(bytes);
    this.held -= bytes;
  }

  /** Throws 50 if the time limit has passed, and 237 after `end`. */
  assertTime(): void {
    this.assertNotEnded();
    if (performance.now() > this.deadline) {
      throw new DatabaseError(50, 'operation exceeded time limit');
    }
  }

  private assertNotEnded(): void {
    if (this.state === 'ended') throw new DatabaseError(237, 'the cursor was killed');
  }

  /** Passes the allowance on to a cursor. From then on, the time between two batches does not count. */
  handToCursor(): void {
    this.state = 'of a cursor';
    this.pause();
  }

  pause(): void {
    this.leftMs = this.deadline - performance.now();
  }

  resume(): void {
    this.deadline = performance.now() + this.leftMs;
  }

  /** Ends the allowance when its command has finished. Does nothing if a cursor uses the allowance. */
  endCommand(): void {
    if (this.state === 'of a command') this.end();
  }

  /** Gives all memory back to the budget. Code that still uses this allowance fails at its next check. */
  end(): void {
    if (this.state === 'ended') return;
    this.budget.giveBack(this.held);
    this.state = 'ended';
  }
}
