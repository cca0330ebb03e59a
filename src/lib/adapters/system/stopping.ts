/** In a place both share: the entry that is told to stop, and the build it has loaded. */
const FLAG = Symbol.for('postern.stopping');
const shared = globalThis as { [FLAG]?: boolean };

/** The process was told to stop, and finishes what is under way. */
export const announceStop = (): void => {
	shared[FLAG] = true;
};

export const isStopping = (): boolean => shared[FLAG] === true;
