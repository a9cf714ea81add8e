/** The paths of the factors, and the paths that are read again after a factor changes. */
export const FACTORS = '/v1/session/factors';
export const TOUCHED = [FACTORS, '/v1/sessions', '/v1/session'];
