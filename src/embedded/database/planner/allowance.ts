// What one command, and the cursor that it leaves open, may use: time, and memory out of one budget
// for all of them. It counts what it is told of; it measures nothing.
import { DatabaseError } from '../errors';

/** Bytes of memory that a value in a list, a map or a set costs beside its own bytes. */
export const ITEM_BYTES = 400;

/** The memory that all sorts, groups, lists and open cursors of a database share. */
export class MemoryBudget {
  private used = 0;

  constructor(private readonly bytesMax: number) {}

  get usedBytes(): number {
    return this.used;
  }

  /** 292 when the bytes are not left; nothing is taken then. */
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

/** The share of one command in the budget, and its time; a cursor takes it over from its command. */
export class Allowance {
  private held = 0;
  private state: 'of a command' | 'of a cursor' | 'ended' = 'of a command';
  private deadline: number;
  private leftMs = 0;

  /** `timeMs` is what the client allows; infinite without a limit. */
  constructor(
    private readonly budget: MemoryBudget,
    timeMs: number,
  ) {
    this.deadline = performance.now() + timeMs;
  }

  /** Takes memory: 292 when there is none left, 237 after the end. */
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

  /** 50 when the time is over, 237 after the end. */
  assertTime(): void {
    this.assertNotEnded();
    if (performance.now() > this.deadline) {
      throw new DatabaseError(50, 'operation exceeded time limit');
    }
  }

  private assertNotEnded(): void {
    if (this.state === 'ended') throw new DatabaseError(237, 'the cursor was killed');
  }

  /** From now on a cursor owns it: the time between its batches does not count. */
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

  /** The command is over; what a cursor took over stays. */
  endCommand(): void {
    if (this.state === 'of a command') this.end();
  }

  /** Gives all memory back; whoever still works on it is stopped at its next look. */
  end(): void {
    if (this.state === 'ended') return;
    this.budget.giveBack(this.held);
    this.state = 'ended';
  }
}
