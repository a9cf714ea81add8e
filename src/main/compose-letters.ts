/** Composes the dependencies of the sender of letters to status page subscribers. */
import { createLetterActivities } from '../activities/letter-activities';
import { createPost } from '../checks/post';
import { requireSetting, type SettingsFor } from '../config/settings';
import type { LetterActivities } from '../contracts/letters/letters';
import { STORED_SECRET_PURPOSE } from '../contracts/seal-contexts';
import type { Stores } from '../models/stores';
import { createLetterSender } from '../notify/letters/letter';
import type { Clock } from '../platform/clock';
import { createTextSealer } from '../platform/sealing';
import { buildUserAgent } from '../platform/version';
import type { RunTextJob } from '../text/text-task';
import { buildMailServer, buildOutgoingOptions } from './outgoing-options';

export function composeLetters(
  settings: SettingsFor<'orchestrator'>,
  {
    stores,
    clock,
    runTextJob,
  }: { readonly stores: Stores; readonly clock: Clock; readonly runTextJob: RunTextJob },
): LetterActivities {
  const { KEEPWATCH_PUBLIC_URL: publicUrl } = settings;
  const secretKeys = requireSetting(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const post = createPost(
    buildOutgoingOptions(settings, [settings.TEMPORAL_ADDRESS, settings.MONGODB_URI]),
    buildUserAgent(),
  );
  return createLetterActivities({
    stores,
    clock,
    sealer: createTextSealer(secretKeys, STORED_SECRET_PURPOSE),
    publicUrl,
    runTextJob,
    send: createLetterSender({
      post,
      server: buildMailServer(settings),
      from: settings.MAIL_FROM,
      publicUrl,
    }),
  });
}
