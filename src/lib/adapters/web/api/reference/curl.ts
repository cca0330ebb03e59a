/** A call for curl. The shell variable `TOKEN` contains its credential. */
export interface CurlCall {
	readonly method: string;
	readonly url: string;
	readonly body?: unknown;
	readonly bearer: boolean;
}

/** A shell command to copy, with one argument per line. */
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

/** Between single quotes, a shell interprets no character. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
