/** Preloaded (`node --require`) into a program that must end with its parent but knows nothing of it. */
import { exitWithParent } from '../platform/exit-with-parent';

exitWithParent();
