/**
 * A path with its escapes decoded, as generously as possible: an escape that stands for no text
 * stays as it is, and does not keep the others from being read.
 */
export const decodedPath = (pathname: string): string =>
	pathname.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
		try {
			return decodeURIComponent(escapes);
		} catch {
			return escapes.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent);
		}
	});
