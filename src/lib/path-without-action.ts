interface Url {
	readonly pathname: string;
	readonly searchParams: Iterable<[string, string]>;
}

/** Without the name of an action. It begins with one slash: a link to two names another host. */
export const pathWithoutAction = ({ pathname, searchParams }: Url): string => {
	const kept = [...searchParams].filter(([name]) => !name.startsWith('/'));
	const query = new URLSearchParams(kept).toString();
	return pathname.replace(/^\/+/, '/') + (query && `?${query}`);
};
