/** A call for curl. The shell variable `TOKEN` contains its credential. */
export interface CurlCall {
	readonly method: string;
	readonly url: string;
	readonly body?: unknown;
	/** The fields of a form, instead of a body in JSON. */
	readonly form?: unknown;
	readonly bearer: boolean;
}

/** A shell command to copy, with one argument per line. */
export const curlCommand = ({ method, url, body, form, bearer }: CurlCall): string => {
	const reads = method === 'GET';
	return [
		`curl ${reads || body !== undefined || form !== undefined ? '' : `-X ${method} `}${url}`,
		...(bearer ? ['-H "Authorization: Bearer $TOKEN"'] : []),
		...(body === undefined
			? []
			: ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
		...Object.entries(form ?? {}).map(([name, value]) => `-d ${quoted(`${name}=${value}`)}`)
	].join(' \\\n  ');
};

/** Between single quotes, a shell interprets no character. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
