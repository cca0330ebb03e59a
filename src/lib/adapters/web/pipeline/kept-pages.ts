/** What belongs to one answer only and is written into a kept answer anew each time. */
export interface PerAnswer {
	/** Of the content security policy. */
	readonly nonce: string;
	readonly formToken: string;
	/** Path and query of the request, to which the theme switch leads back without script. */
	readonly here: string;
}

/** An answer of which everything that belongs to one request was taken out. */
export interface KeptPage {
	/** Whether it holds a form token, which needs the key of the caller's browser. */
	readonly hasToken: boolean;
	write(values: PerAnswer): { readonly body: Uint8Array<ArrayBuffer>; readonly headers: Headers };
}

/** The kept answers of one process, by all that they depend on. */
export interface KeptPages {
	get(key: string): KeptPage | null;
	set(key: string, page: KeptPage): void;
}

/** More than there are: 11 pages in 3 themes, each as a document or in 9 choices of its data. */
const CAPACITY = 500;

export const keptPages = (): KeptPages => {
	const pages = new Map<string, KeptPage>();
	return {
		get: (key) => pages.get(key) ?? null,
		set: (key, page) => {
			if (pages.size < CAPACITY) pages.set(key, page);
		}
	};
};

const POLICY = 'content-security-policy';
/** As form-token.ts makes them. Random, like a nonce, so it occurs nowhere by chance. */
const TOKEN = /"([0-9a-f]{32}\.[\w-]{43})"/;
/** These belong to one answer, or describe a body that is never given twice. */
const NOT_KEPT = ['set-cookie', 'etag', 'content-length'];

/**
 * Takes a document apart that was rendered for a caller without a session. Null when nonce, token or
 * address are not where they are expected: then it holds something that is not understood here.
 */
export const keepDocument = (html: string, answered: Headers, here: string): KeptPage | null => {
	const policy = answered.get(POLICY) ?? '';
	const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
	const token = TOKEN.exec(html)?.[1];
	if (nonce === undefined || token === undefined || !html.includes(wayBack(here))) return null;
	const byWayBack = cutOut([html], wayBack(here), { of: 'here' });
	const pieces = cutOut(cutOut(byWayBack, nonce, { of: 'nonce' }), token, { of: 'formToken' });
	const fixed = withoutOwn(answered);
	return kept(pieces, true, (values) => {
		const headers = new Headers(fixed);
		headers.set(
			POLICY,
			policy.replaceAll(nonce, () => values.nonce)
		);
		return headers;
	});
};

/** The same for the data of a page. Which parts a browser asks for decides whether a token is in it. */
export const keepData = (json: string, answered: Headers): KeptPage | null => {
	const token = TOKEN.exec(json)?.[1];
	if (!json.startsWith('{"type":"data"') || answered.has('set-cookie') !== (token !== undefined)) {
		return null;
	}
	const pieces = token === undefined ? [json] : cutOut([json], token, { of: 'formToken' });
	const fixed = withoutOwn(answered);
	return kept(pieces, token !== undefined, () => new Headers(fixed));
};

const kept = (
	pieces: readonly (string | Gap)[],
	hasToken: boolean,
	headersOf: (values: PerAnswer) => Headers
): KeptPage => {
	const bytes = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
	return {
		hasToken,
		write: (values) => {
			const gaps = {
				nonce: Buffer.from(values.nonce),
				formToken: Buffer.from(values.formToken),
				here: Buffer.from(wayBack(values.here))
			};
			const body = Buffer.concat(bytes.map((piece) => ('of' in piece ? gaps[piece.of] : piece)));
			const headers = headersOf(values);
			headers.set('content-length', String(body.byteLength));
			return { body, headers };
		}
	};
};

/** A place in a kept answer that each request fills. */
interface Gap {
	readonly of: keyof PerAnswer;
}

const cutOut = (pieces: readonly (string | Gap)[], text: string, gap: Gap): (string | Gap)[] =>
	pieces.flatMap((piece) =>
		typeof piece === 'string'
			? piece.split(text).flatMap((part, index) => (index === 0 ? [part] : [gap, part]))
			: [piece]
	);

const withoutOwn = (answered: Headers): Headers => {
	const headers = new Headers(answered);
	for (const name of NOT_KEPT) headers.delete(name);
	return headers;
};

const wayBack = (here: string): string =>
	`name="from" value="${here.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`;
