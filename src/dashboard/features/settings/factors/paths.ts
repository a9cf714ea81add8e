/** The paths of the factors, and what changes when one of them changes. */
export const FACTORS = '/v1/session/factors';
export const TOUCHED = [FACTORS, '/v1/sessions', '/v1/session'];
