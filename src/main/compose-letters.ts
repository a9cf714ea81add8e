/** Composes the dependencies of the sender of letters to status page subscribers. */
import { createLetterActivities } from '../activities/letter-activities';
import { createPost } from '../checks/post';
import { required, type SettingsOf } from '../config/settings';
import type { LetterActivities } from '../contracts/letters/letters';
import { STORED_SECRET_PURPOSE } from '../contracts/seal-contexts';
import type { Stores } from '../models/stores';
import { createLetterSender } from '../notify/letters/letter';
import type { Clock } from '../platform/clock';
import { createTextSealer } from '../platform/sealing';
import { userAgent } from '../platform/version';
import type { RunTexts } from '../text/text-task';
import { mailServer, outgoingOptions } from './outgoing-options';

export function composeLetters(
  settings: SettingsOf<'orchestrator'>,
  {
    stores,
    clock,
    runTexts,
  }: { readonly stores: Stores; readonly clock: Clock; readonly runTexts: RunTexts },
): LetterActivities {
  const { KEEPWATCH_PUBLIC_URL: publicUrl } = settings;
  const secretKeys = required(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const post = createPost(
    outgoingOptions(settings, [settings.TEMPORAL_ADDRESS, settings.MONGODB_URI]),
    userAgent(),
  );
  return createLetterActivities({
    stores,
    clock,
    sealer: createTextSealer(secretKeys, STORED_SECRET_PURPOSE),
    publicUrl,
    runTexts,
    send: createLetterSender({
      post,
      server: mailServer(settings),
      from: settings.MAIL_FROM,
      publicUrl,
    }),
  });
}
