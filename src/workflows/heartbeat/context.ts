/** Types of the data that a running heartbeat workflow has in addition to its state. */
import type { HeartbeatState } from '../../contracts/heartbeat-workflow';
import type { WorkflowContext } from '../loop/handlers';

export interface HeartbeatContext extends WorkflowContext<HeartbeatState> {
  /** True if a ping may have arrived that has not been read. */
  isReadDue: boolean;
  /** The length of the history when pings were last read. */
  readAtLength: number;
  /** Before this time, a missing ping proves nothing, because the service may have been unable to receive pings. */
  rereadAtMs: number;
  /** When the workflow last tried to remind people. */
  remindedAtMs: number;
  /** True if maintenance without alerts was in force when the loop last looked. */
  wasMuted: boolean;
}
