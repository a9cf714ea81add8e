/** Types of the data that a running heartbeat workflow has in addition to its state. */
import type { HeartbeatState } from '../../contracts/heartbeat-workflow';
import type { WorkflowContext } from '../loop/handlers';

export interface HeartbeatContext extends WorkflowContext<HeartbeatState> {
  /** True if pings may have arrived that the workflow has not read yet. */
  isReadDue: boolean;
  /** The length of the history when pings were last read. */
  readAtLength: number;
  /** Until this time, a missing ping proves nothing, because the service may have been unable to receive pings. */
  rereadAtMs: number;
  /** When the workflow last tried to send a reminder. */
  remindedAtMs: number;
  /** True if maintenance without alerts was in force when the loop last looked. */
  wasMuted: boolean;
}
