/** The paths of the factors, and the data to reload after a change of a factor. */
export const FACTORS = '/v1/session/factors';
export const TOUCHED = [FACTORS, '/v1/sessions', '/v1/session'];
