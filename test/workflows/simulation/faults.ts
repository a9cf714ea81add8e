/** The current faults of a simulated service. They affect its database and its alert channel. */
import { AppError } from '../../../src/platform/errors';
import type { Ledger } from '../ledger';
import type { VirtualService } from '../virtual-service';

const SLOWEST_MS = 6_000;

export class Faults {
  ledger: Ledger | null = null;
  sleep: VirtualService['sleep'] = async () => undefined;
  isAway = false;
  isSlow = false;
  losesAnswers = false;
  lastDatabaseMs = 0;
  channel: 'up' | 'down' | 'dies' = 'up';
  readonly hanging = new Set<string>();
  readonly dying = new Set<string>();
  private readonly lost = new Set<string>();
  private calls = 0;

  /** Called before a database call about these monitors. */
  async before(monitorIds: readonly string[]): Promise<void> {
    this.calls += 1;
    // The delay differs for each call, but is the same in each run.
    if (this.isSlow) await this.sleep((this.calls * 1_237) % SLOWEST_MS);
    if (this.isAway) throw new AppError('unavailable', 'the database is away');
    if (monitorIds.some((id) => this.ledger?.refused.has(id) === true))
      throw new Error('the database refuses it');
  }

  /** Called after a database call. The response of each call is lost once. */
  async after(call: string): Promise<void> {
    if (!this.losesAnswers || this.lost.has(call)) return;
    this.lost.add(call);
    throw new AppError('unavailable', 'the answer of the database is lost');
  }
}
