/** Preloaded (`node --require`) into a program that must exit with its parent but has no code for that. */
import { exitWithParent } from '../platform/exit-with-parent';

exitWithParent();
