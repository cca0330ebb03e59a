let stopping = false;

/** Set on SIGTERM; `/readyz` then responds 503. */
export const announceStop = (): void => {
	stopping = true;
};

export const isStopping = (): boolean => stopping;
