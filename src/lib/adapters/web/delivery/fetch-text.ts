/** Gets a text over https. Throws when that fails for any reason. */
export type FetchText = (url: URL) => Promise<string>;

const TIMEOUT = 5_000;
/** A certificate or a confirmation has a few kilobytes. */
const MOST_BYTES = 64 * 1024;

/** Follows no redirect, and reads no more than it needs. */
export const fetchText: FetchText = async (url) => {
	const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT) });
	if (!response.ok) throw new Error(`${url.host} answered ${response.status}`);
	const chunks: Uint8Array[] = [];
	let total = 0;
	for await (const chunk of response.body ?? []) {
		total += chunk.byteLength;
		if (total > MOST_BYTES) throw new Error(`${url.host} sent more than ${MOST_BYTES} bytes`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
};
