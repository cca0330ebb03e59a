/**
 * Decodes the escapes of a path as far as possible. An escape that is not valid text stays as it is,
 * and the others are still decoded.
 */
export const decodedPath = (pathname: string): string =>
	pathname.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
		try {
			return decodeURIComponent(escapes);
		} catch {
			return escapes.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent);
		}
	});
