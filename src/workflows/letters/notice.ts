/**
 * Delivers one notice of a status page to its subscribers. It writes a record for each letter, then sends letters in
 * batches until none is pending. Its history contains no recipient and no text.
 */
import { proxyActivities, sleep } from '@temporalio/workflow';
import {
  LETTER_QUEUE,
  type LetterActivities,
  type NoticeProgress,
} from '../../contracts/letters/letters';
import { isHistoryLarge, startOver } from '../loop/continue';

const DURABLE = {
  taskQueue: LETTER_QUEUE,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
} as const;

const { writeLetters, endNotice } = proxyActivities<LetterActivities>({
  ...DURABLE,
  startToCloseTimeout: '1 minute',
});

/** Missing heartbeats reveal a lost sender. */
const { sendLetters } = proxyActivities<LetterActivities>({
  ...DURABLE,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
});

/**
 * Ends when no letter is pending. A letter that cannot be delivered is given up after a day, regardless of the other
 * letters.
 */
export async function noticeWorkflow(given: NoticeProgress): Promise<void> {
  const { accountId, noticeId } = given;
  const notice = { accountId, noticeId };
  let progress = given;
  while (!progress.isWritten) {
    const { lastId } = await writeLetters({ ...notice, afterId: progress.writtenTo });
    progress = { ...progress, writtenTo: lastId, isWritten: lastId === null };
    if (isHistoryLarge()) await startOver<typeof noticeWorkflow>(progress);
  }
  for (;;) {
    const { waitMs } = await sendLetters(notice);
    if (waitMs === null) break;
    if (isHistoryLarge()) await startOver<typeof noticeWorkflow>(progress);
    if (waitMs > 0) await sleep(waitMs, { summary: 'next try of letters' });
  }
  await endNotice(notice);
}
