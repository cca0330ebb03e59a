export const URLENCODED = 'application/x-www-form-urlencoded';
const BOUNDARY = 'postern-test';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

interface WorstForm {
	readonly type: string;
	readonly body: string;
}

/** As many whole pieces as needed for at least this length. */
const repeated = (bytes: number, of: (number: number) => string): string => {
	const pieces: string[] = [];
	for (let length = 0, number = 0; length < bytes; number += 1) {
		const piece = of(number);
		pieces.push(piece);
		length += piece.length;
	}
	return pieces.join('');
};
const filled = (bytes: number, of: (number: number) => string): string =>
	repeated(bytes, of).slice(0, bytes);

const HEAD = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="a"`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;

const urlencoded: readonly ((number: number) => string)[] = [
	...['a&', '&', '=', 'a=b&', '%41', '%', '+'].map((piece) => () => piece),
	(number) => `k${number}=1&`,
	(number) => `k${number}=%41%41&`
];

const inContent = (bytes: number, text: string): string =>
	`${HEAD}\r\n\r\n${filled(bytes, () => text)}${TAIL}`;
const DISPOSITION = HEAD.split('\r\n')[1] ?? '';

const multipart: readonly ((bytes: number) => string)[] = [
	(bytes) =>
		`${repeated(bytes, (number) => `${HEAD.slice(0, -1)}${number}"\r\n\r\n1\r\n`)}--${BOUNDARY}--\r\n`,
	(bytes) => `${repeated(bytes, () => `${HEAD}; filename="x"\r\n\r\n1\r\n`)}--${BOUNDARY}--\r\n`,
	(bytes) => `${HEAD}\r\n${filled(bytes, () => 'x: y\r\n')}\r\n1${TAIL}`,
	(bytes) => `${filled(bytes, () => `${DISPOSITION}\r\n`)}\r\n1${TAIL}`,
	(bytes) => `${HEAD}${filled(bytes, () => '; filename="b"')}\r\n\r\n1${TAIL}`,
	(bytes) => inContent(bytes, `\r\n--${BOUNDARY.slice(0, -1)}!`),
	(bytes) => inContent(bytes, '\r\n'),
	(bytes) => inContent(bytes, '\r\n-'),
	(bytes) => filled(bytes, () => `--${BOUNDARY}\r\n`),
	(bytes) => `${HEAD.slice(0, -1)}${filled(bytes, () => '%22')}"\r\n\r\n1${TAIL}`
];

/** Bodies of about this length, each as expensive for a parser as possible. */
export const pathologicalForms = (bytes: number): readonly WorstForm[] => {
	// As long as a header may be: a search for it takes its length times that of the body.
	const longBoundary = 'A'.repeat(14_000);
	return [
		...urlencoded.map((of) => ({ type: URLENCODED, body: filled(bytes, of) })),
		...multipart.map((of) => ({
			type: MULTIPART,
			body: of(Math.max(0, bytes - 200)).slice(0, bytes)
		})),
		{
			type: `multipart/form-data; boundary=${longBoundary}`,
			body: [
				`--${longBoundary}\r\n${DISPOSITION}\r\n\r\n`,
				repeated(bytes - 40_000, () => `\r\n--${longBoundary.slice(1)}B`),
				`\r\n--${longBoundary}--\r\n`
			].join('')
		}
	];
};
