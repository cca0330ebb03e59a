/** What a path that no route answers to was meant to be, as generously as it can be read. */
export const loosely = (pathname: string): string => {
	const segments = decoded(pathname)
		.toLowerCase()
		.split(/[\\/]+/)
		.map((segment) => segment.replace(/;.*$/s, ''));
	return `/${segments.filter((segment) => segment !== '').join('/')}`;
};

const decoded = (pathname: string): string => {
	try {
		return decodeURIComponent(pathname);
	} catch {
		return pathname;
	}
};
