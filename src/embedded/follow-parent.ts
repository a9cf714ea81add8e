/** Preloaded (`node --require`) into a program so that it exits with its parent. */
import { exitWithParent } from '../platform/exit-with-parent';

exitWithParent();
