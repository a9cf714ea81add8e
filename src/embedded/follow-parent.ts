/** Makes a program exit with its parent. Preloaded with `node --require`. */
import { exitWithParent } from '../platform/exit-with-parent';

exitWithParent();
