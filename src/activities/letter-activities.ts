/** The activities that send letters to subscribers. */
import { Context } from '@temporalio/activity';
import type { LetterActivities } from '../contracts/letters/letters';
import {
  endNotice,
  type LetterNeeds,
  sendLetters,
  writeLetters,
} from '../services/subscribers/send-letters';

const BEAT_EVERY_MS = 5_000;

/** Each activity throws if the database is unavailable. All activities may be repeated. */
export function createLetterActivities(needs: LetterNeeds): LetterActivities {
  return {
    writeLetters: (notice) => writeLetters(needs, notice),
    async sendLetters(notice) {
      const { cancellationSignal, heartbeat } = Context.current();
      const beating = setInterval(() => heartbeat(), BEAT_EVERY_MS);
      try {
        return await sendLetters(needs, notice, cancellationSignal);
      } finally {
        clearInterval(beating);
      }
    },
    endNotice: (notice) => endNotice(needs, notice),
  };
}
