interface Url {
	readonly pathname: string;
	readonly searchParams: Iterable<[string, string]>;
}

/**
 * The path and query of a URL without its form action. The path starts with exactly one slash: a link
 * to `//x` would lead to the host `x`.
 */
export const pathWithoutAction = ({ pathname, searchParams }: Url): string => {
	const others = [...searchParams].filter(([name]) => !name.startsWith('/'));
	const query = new URLSearchParams(others).toString();
	return pathname.replace(/^\/+/, '/') + (query && `?${query}`);
};
