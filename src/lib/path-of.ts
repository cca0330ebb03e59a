interface Address {
	readonly pathname: string;
	readonly searchParams: Iterable<[string, string]>;
}

/**
 * The path of a page with its query, without the name of an action. It begins with one slash,
 * because a link to two begins the name of another host.
 */
export const pathOf = ({ pathname, searchParams }: Address): string => {
	const kept = [...searchParams].filter(([name]) => !name.startsWith('/'));
	const query = new URLSearchParams(kept).toString();
	return pathname.replace(/^\/+/, '/') + (query && `?${query}`);
};
