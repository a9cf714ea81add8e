/**
 * The message about a refused private target. For operators, the message describes how to allow the target. For
 * everyone else, it contains the advice to ask the operator. Pure.
 */

const PRIVATE_BLOCKED = 'Private addresses are blocked on this installation.';
export const PRIVATE_REFUSED = `${PRIVATE_BLOCKED} Ask its operator to allow this one.`;
const SETTING = 'KEEPWATCH_ALLOWED_PRIVATE_TARGETS';
const ADVICE = / Allow it: [^`]*`[^`]*`[^.]*\./;

/**
 * Returns the refusal with advice for operators, which describes how to allow the range. `isFirst` means that no range
 * is allowed yet.
 */
export function writeRefusalWithAdvice(range: string, isFirst: boolean): string {
  const how = isFirst ? `start with \`${SETTING}=${range}\`` : `add \`${range}\` to ${SETTING}`;
  return `${PRIVATE_BLOCKED} Allow it: ${how}.`;
}

/** Removes the advice for operators. Leaves any other text unchanged. */
export function withoutAdvice(refusal: string): string {
  return refusal.replace(ADVICE, PRIVATE_REFUSED.slice(PRIVATE_BLOCKED.length));
}
