export const URLENCODED = 'application/x-www-form-urlencoded';
const BOUNDARY = 'postern-test';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

interface WorstForm {
	readonly name: string;
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

const urlencoded: Readonly<Record<string, (number: number) => string>> = {
	'a&': () => 'a&',
	'&': () => '&',
	'=': () => '=',
	'many keys': (number) => `k${number}=1&`,
	'one key many times': () => 'a=b&',
	'%41': () => '%41',
	'%': () => '%',
	'+': () => '+',
	'many values of %41': (number) => `k${number}=%41%41&`
};

const multipart: Readonly<Record<string, (bytes: number) => string>> = {
	'many parts': (bytes) => {
		const part = (number: number): string => `${HEAD.slice(0, -1)}${number}"\r\n\r\n1\r\n`;
		return `${repeated(bytes, part)}--${BOUNDARY}--\r\n`;
	},
	'many files': (bytes) =>
		`${repeated(bytes, () => `${HEAD}; filename="x"\r\n\r\n1\r\n`)}--${BOUNDARY}--\r\n`,
	'many headers of a part': (bytes) => `${HEAD}\r\n${filled(bytes, () => 'x: y\r\n')}\r\n1${TAIL}`,
	'many dispositions': (bytes) =>
		`${filled(bytes, () => `${HEAD.split('\r\n')[1]}\r\n`)}\r\n1${TAIL}`,
	'many parameters': (bytes) => `${HEAD}${filled(bytes, () => '; filename="b"')}\r\n\r\n1${TAIL}`,
	'near-boundaries': (bytes) => {
		const near = `\r\n--${BOUNDARY.slice(0, -1)}!`;
		return `${HEAD}\r\n\r\n${filled(bytes, () => near)}${TAIL}`;
	},
	'line ends': (bytes) => `${HEAD}\r\n\r\n${filled(bytes, () => '\r\n')}${TAIL}`,
	dashes: (bytes) => `${HEAD}\r\n\r\n${filled(bytes, () => '\r\n-')}${TAIL}`,
	'only boundaries': (bytes) => filled(bytes, () => `--${BOUNDARY}\r\n`),
	'quotes in a name': (bytes) =>
		`${HEAD.slice(0, -1)}${filled(bytes, () => '%22')}"\r\n\r\n1${TAIL}`
};

/** Bodies of about this length, each as expensive for a parser as possible. */
export const pathologicalForms = (bytes: number): readonly WorstForm[] => {
	// As long as a header may be: a search for it takes its length times that of the body.
	const longBoundary = 'A'.repeat(14_000);
	return [
		...Object.entries(urlencoded).map(([name, of]) => ({
			name,
			type: URLENCODED,
			body: filled(bytes, of)
		})),
		...Object.entries(multipart).map(([name, of]) => ({
			name,
			type: MULTIPART,
			body: of(Math.max(0, bytes - 200)).slice(0, bytes)
		})),
		{
			name: 'near-boundaries of 14 KB',
			type: `multipart/form-data; boundary=${longBoundary}`,
			body: [
				`--${longBoundary}\r\n${HEAD.split('\r\n')[1]}\r\n\r\n`,
				repeated(bytes - 40_000, () => `\r\n--${longBoundary.slice(1)}B`),
				`\r\n--${longBoundary}--\r\n`
			].join('')
		}
	];
};
