import { escapeHtml } from '#lib/escape-html.ts';

/**
 * The values that differ between responses. They are filled in each time a cached page is served.
 */
export interface PerAnswer {
	/** The nonce of the content security policy. */
	readonly nonce: string;
	readonly formToken: string;
	/** Path and query of the request. Without JavaScript, the theme switch redirects back to it. */
	readonly here: string;
}

/** A rendered response with placeholders for everything that belongs to one request. */
export interface KeptPage {
	/** Whether the page contains a form token, which needs the key of the caller's browser. */
	readonly hasToken: boolean;
	write(values: PerAnswer): { readonly body: Uint8Array<ArrayBuffer>; readonly headers: Headers };
}

/**
 * The rendered pages that this process caches. The key contains everything that a page depends on.
 */
export interface KeptPages {
	get(key: string): KeptPage | null;
	set(key: string, page: KeptPage): void;
}

/** More than exist: 38 pages in 3 themes, each as a document and in 9 variants of its data. */
const CAPACITY = 1500;

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
/**
 * The format of a form token (csrf-token.ts). Tokens are random, so no other text matches by
 * chance.
 */
const TOKEN = /"([0-9a-f]{32}\.[\w-]{43})"/;
/** Headers that belong to one response, or that describe its exact body. */
const NOT_KEPT = ['set-cookie', 'etag', 'content-length'];

/**
 * Turns a document that was rendered for an unauthenticated caller into a template. Returns null if
 * the nonce, the token or the path is missing, since the document is then not as expected.
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

/**
 * Does the same for the data of a page. Whether it contains a token depends on the parts that the
 * browser requested.
 */
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

/** A placeholder in a cached response, filled in for each request. */
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

/** A URL holds no `'` or `>`, so this is what the framework renders. */
const wayBack = (here: string): string => `name="from" value="${escapeHtml(here)}"`;
