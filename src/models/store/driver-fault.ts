/**
 * Works around a fault of the MongoDB driver (at least 7.5 to 7.9). If a socket closes just before a command is written
 * to it, the command never ends: the driver waits for `drain`, which a closed socket never emits. The command then
 * occupies a connection of the pool forever. If the command belongs to the driver's own server monitor, the process
 * finds no server until it is restarted.
 */
import { createRequire } from 'node:module';

type WriteCommand = (this: DriverConnection, ...given: unknown[]) => Promise<void>;

interface DriverConnection {
  /** The reason why the connection was closed. */
  readonly error: Error | null;
  readonly once: (event: 'close', listener: () => void) => unknown;
  readonly off: (event: 'close', listener: () => void) => unknown;
}

interface ConnectionPrototype extends DriverConnection {
  writeCommand: WriteCommand;
  [APPLIED]?: true;
}

const APPLIED = Symbol.for('keepwatch.commandsEndWithTheirConnection');

/**
 * Makes a command that is being written fail as soon as its connection closes. Applies to all clients of this process.
 */
export function endCommandsWithTheirConnection(): void {
  const { prototype } = findConnectionClass();
  if (prototype[APPLIED] === true) return;
  const { writeCommand } = prototype;
  prototype.writeCommand = function (...given) {
    return new Promise((resolve, reject) => {
      const fail = () => reject(this.error);
      this.once('close', fail);
      const end = () => this.off('close', fail);
      writeCommand.apply(this, given).then(resolve, reject).finally(end);
    });
  };
  prototype[APPLIED] = true;
}

/**
 * Finds the driver's class. It is internal, so its path may change with a new version of the driver. In that case, the
 * test `driver-fault.it` fails.
 */
function findConnectionClass(): { readonly prototype: ConnectionPrototype } {
  const requireAsMongoose = createRequire(require.resolve('mongoose'));
  return requireAsMongoose('mongodb/lib/cmap/connection').Connection;
}
