/** Who may create an account without an operator. */

/**
 * Who may register. `off` means no one, `invite` people with a link from an operator, and `open` everyone with a
 * confirmed email address.
 */
export const REGISTRATION_MODES = ['off', 'invite', 'open'] as const;

export type RegistrationMode = (typeof REGISTRATION_MODES)[number];
