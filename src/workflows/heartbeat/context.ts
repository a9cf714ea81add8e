/**
 * The data of a running heartbeat in addition to its state. It is lost when the run ends. Types
 * only.
 */
import type { HeartbeatState } from '../../contracts/heartbeat-workflow';
import type { WorkflowContext } from '../loop/handlers';

export interface HeartbeatContext extends WorkflowContext<HeartbeatState> {
  /** True if a ping has arrived that has not been read yet. True at the start, since a signal may have been lost. */
  isRung: boolean;
  /** The length of the history when pings were last read. */
  readAtLength: number;
  /** Before this instant, silence proves nothing, because pings may not have been received. */
  rereadAtMs: number;
  /** When the workflow last tried to remind people. */
  remindedAtMs: number;
  /** True if maintenance without alerts was in force when the loop last looked. */
  wasMuted: boolean;
}
