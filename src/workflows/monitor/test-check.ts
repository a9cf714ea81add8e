/** Makes one check of an unsaved monitor. It records nothing. */
import type { StepOutcome } from '../../contracts/outcome';
import type { MonitorConfig } from '../../contracts/workflows';
import { checkRegions } from './check-regions';

/**
 * Returns the outcome from the first region of the configuration. A failure of the target does not fail the workflow.
 */
export async function testCheckWorkflow(config: MonitorConfig): Promise<StepOutcome> {
  const [checked] = await checkRegions(config, config.anchorMs);
  if (checked === undefined) throw new Error('a test names no region');
  return checked.outcome;
}
