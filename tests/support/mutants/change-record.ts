/** Accepts any payload and keeps every id within the lifetime of a cache entry. */
export const naiveChangeRecord = () => {
	const noted = new Map<string, number>();
	return {
		hear: (payload: string): void => {
			const [kind, id = ''] = payload.split(' ');
			if (kind === 'session' || kind === 'account') noted.set(id, Date.now());
		},
		knows: (id: string): boolean => noted.has(id)
	};
};
