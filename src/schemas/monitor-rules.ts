/**
 * Options of a monitor that say when it is down. Bodies, responses, the reference, files, services and the
 * dashboard's form read them from here: a new one is a line in `MonitorRules`, a line here, its place in the
 * database, its label in the form, and what it does.
 */
import { z } from 'zod';
import type { MonitorRules } from '../contracts/definition';

/** As responses have them. */
export const monitorRuleShapes = {
  failuresBeforeDown: z.int().min(1).max(10),
  successesBeforeUp: z.int().min(1).max(10),
} satisfies Record<keyof MonitorRules, z.ZodType>;

/** As bodies have them; a field without a value is at its default. */
export const monitorRuleFields = {
  failuresBeforeDown: monitorRuleShapes.failuresBeforeDown.default(1),
  successesBeforeUp: monitorRuleShapes.successesBeforeUp.default(1),
} satisfies Record<keyof MonitorRules, z.ZodType>;

/** The rules of a whole definition, of whatever is known of one; it checks nothing. */
export function monitorRulesOf({
  failuresBeforeDown,
  successesBeforeUp,
}: MonitorRules): MonitorRules {
  return { failuresBeforeDown, successesBeforeUp };
}
