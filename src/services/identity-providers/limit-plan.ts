/** Limits the recipients of a provider's incident, because Temporal refuses a state of more than 2 MB. Pure. */
import type { EscalationContact, EscalationPlan, EscalationStep } from '../../contracts/escalation';
import { nameContact } from './provider-recipients';

/** Each contact is in the state twice: in the plan, and in the list of notified contacts. */
const PLAN_LENGTH_MAX = 500_000;
/** Contacts of an incident, even if other checks fail each minute. */
const CONTACTS_MAX = 2_000;

export interface LimitedPlan {
  readonly plan: EscalationPlan;
  /** The number of contacts that are not notified. */
  readonly leftOut: number;
}

/**
 * Keeps contacts in this order: earlier contacts, contacts of checks without a policy, contacts of policies in their
 * order. Leaves out empty steps.
 */
export function limitPlan(plan: EscalationPlan, planned: readonly string[]): LimitedPlan {
  const known = new Set(planned);
  const isKnown = (step: EscalationStep, contact: EscalationContact) =>
    known.has(nameContact(step, contact));
  const kept = new Set<EscalationContact>();
  let length = 0;
  let count = known.size;
  const take = (contact: EscalationContact, isNew: boolean): void => {
    const size = JSON.stringify(contact).length;
    if (length + size > PLAN_LENGTH_MAX || (isNew && count >= CONTACTS_MAX)) return;
    length += size;
    if (isNew) count += 1;
    kept.add(contact);
  };
  for (const isNew of [false, true])
    for (const step of plan.steps) {
      const wanted = step.contacts.filter((contact) => isKnown(step, contact) !== isNew);
      for (const contact of wanted) take(contact, isNew);
    }
  const total = plan.steps.reduce((sum, { contacts }) => sum + contacts.length, 0);
  if (kept.size === total) return { plan, leftOut: 0 };
  const steps = plan.steps.flatMap((step): readonly EscalationStep[] => {
    const contacts = step.contacts.filter((contact) => kept.has(contact));
    return contacts.length === 0 && step.contacts.length > 0 ? [] : [{ ...step, contacts }];
  });
  return { plan: { ...plan, steps }, leftOut: total - kept.size };
}
