/** A call as curl makes it; what stands in the shell as `TOKEN` is its credential. */
export interface CurlCall {
	readonly method: string;
	readonly url: string;
	readonly body?: unknown;
	readonly bearer: boolean;
}

/** One command for a shell, a thing a line, to be copied as it is. */
export const curlCommand = ({ method, url, body, bearer }: CurlCall): string => {
	const reads = method === 'GET';
	return [
		`curl ${reads || body !== undefined ? '' : `-X ${method} `}${url}`,
		...(bearer ? ['-H "Authorization: Bearer $TOKEN"'] : []),
		...(body === undefined
			? []
			: ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`])
	].join(' \\\n  ');
};

/** For the shell: nothing between single quotes means anything but itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
