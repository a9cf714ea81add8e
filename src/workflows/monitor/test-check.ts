/** One check of an unsaved monitor. It keeps no time, records nothing, and leaves no result behind. */
import type { StepOutcome } from '../../contracts/outcome';
import type { MonitorConfig } from '../../contracts/workflows';
import { checkRegions } from './check-regions';

/** The outcome from the first region of the configuration; never fails because the target does. */
export async function testCheckWorkflow(config: MonitorConfig): Promise<StepOutcome> {
  const [checked] = await checkRegions(config, config.anchorMs);
  if (checked === undefined) throw new Error('a test names no region');
  return checked.outcome;
}
