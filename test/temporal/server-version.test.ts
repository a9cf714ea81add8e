/** Which Temporal servers are too old, and that whoever needs one is told so in a sentence. */
import {
  findVersionProblem,
  requireServerVersion,
  TEMPORAL_SERVER_MIN,
} from '../../src/temporal/server-version';

const MIN = `${TEMPORAL_SERVER_MIN.major}.${TEMPORAL_SERVER_MIN.minor}`;

test.each(['1.30.9', '1.9.0', '0.99.0', 'v1.28.1'])(
  '%s is too old, and the sentence says what is needed',
  (version) => {
    expect(findVersionProblem(version)).toContain(
      `${version}, and Keepwatch needs ${MIN} or newer`,
    );
  },
);

test.each(['1.31.0', '1.31.2-152.4', '1.40.0', '2.0.0', 'v1.31.0', 'unknown', ''])(
  '%j is new enough, or not understood',
  (version) => {
    expect(findVersionProblem(version)).toBeNull();
  },
);

test('a start against an old server ends with the sentence alone', async () => {
  const server = { getSystemInfo: async () => ({ serverVersion: '1.29.0' }) };
  await expect(requireServerVersion(server)).rejects.toMatchObject({
    name: 'UnfitServerError',
    message: expect.stringContaining('upgrade it'),
  });
});
