/** What a running heartbeat holds besides its state; it does not survive the run. Shapes only. */
import type { HeartbeatState } from '../../contracts/heartbeat-workflow';
import type { WorkflowContext } from '../loop/handlers';

export interface HeartbeatContext extends WorkflowContext<HeartbeatState> {
  /** A ping has arrived that was not read yet. True at the beginning, since a signal may have been lost. */
  isRung: boolean;
  /** The length of the history when pings were last read. */
  readAtLength: number;
  /** Silence says nothing before this instant. */
  deafUntilMs: number;
  /** When it was last tried to remind people. */
  remindedAtMs: number;
  /** In maintenance in which nobody was notified, when it was looked at last. */
  wasMuted: boolean;
}
