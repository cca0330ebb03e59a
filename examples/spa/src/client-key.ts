const NAME = 'postern-client';

/**
 * The key by which the server recognises this browser. It gives access to nothing, so other scripts
 * of this origin may read it. It stays when the user signs out.
 */
export const clientKey = (): string => {
	const bytes = crypto.getRandomValues(new Uint8Array(32));
	const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
	try {
		const key = localStorage.getItem(NAME) ?? made;
		localStorage.setItem(NAME, key);
		return key;
	} catch {
		// This browser stores nothing, so the key lasts until a reload.
		return made;
	}
};
