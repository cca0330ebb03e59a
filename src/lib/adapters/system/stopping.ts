/** Global, because the entry that gets the signal and the build that it loads both need it. */
const FLAG = Symbol.for('postern.stopping');
const shared = globalThis as { [FLAG]?: boolean };

/** Announces that the process is stopping and finishes its running requests. */
export const announceStop = (): void => {
	shared[FLAG] = true;
};

export const isStopping = (): boolean => shared[FLAG] === true;
